"""One page of Chromium for scripts/check-site and scripts/check-web, without libraries."""

import base64, json, os, shutil, subprocess


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page of Chromium, by its DevTools protocol over two pipes."""

    def __init__(self, program, profile):
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                   "--disable-dev-shm-usage", "--user-data-dir=" + profile, "--remote-debugging-pipe", "about:blank"]
        quoted = 'exec "$@" 3<&%d 4>&%d' % (from_us, to_us)
        self.process = subprocess.Popen(["bash", "-c", quoted, "bash"] + command, pass_fds=(from_us, to_us),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.out, self.into = to_browser, os.fdopen(from_browser, "rb")
        self.buffer, self.count, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.into.fileno(), 1 << 16)
            if not more:
                raise EOFError("the browser ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return result["result"].get("value") if "exceptionDetails" not in result else "cannot be measured"

    def size(self, width, height, mobile):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def open(self, url):
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())

    def errors(self):
        """What the console said since the last call."""
        found = []
        for event in self.events:
            params = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
                found.append(params["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
                found.append(str(params["args"]))
        self.events = []
        return found

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


# The widest element that the page does not let scroll is told, to make the fault easy to find.
MEASURE = """((width) => {
  const d = document.documentElement;
  if (d.scrollWidth <= width) return "";
  const scrolls = (e) => e && (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement));
  const e = wide[wide.length - 1];
  return d.scrollWidth + " pixels wide" + (e ? ": " + e.outerHTML.slice(0, 100) : "");
})(%d)"""
