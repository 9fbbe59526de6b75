// For node's test runner: what failed, and at the end the line that scripts/test adds up.
export default async function* (events) {
  let passed = 0, failed = 0, skipped = 0;
  for await (const { type, data } of events) {
    if (data.details?.type === "suite") continue;
    if (type === "test:pass") data.skip === undefined ? passed++ : skipped++;
    if (type === "test:pass" && data.skip !== undefined) yield `skipped: ${data.name} (${data.skip})\n`;
    if (type === "test:fail") {
      failed++;
      yield `FAILED ${data.name}\n${data.details.error.cause?.stack ?? data.details.error}\n`;
    }
    if (type === "test:diagnostic" && data.level !== "error" && !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(data.message)) yield data.message + "\n";
  }
  yield `suite browser: ${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}
