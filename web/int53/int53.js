// Integers of OCaml as numbers: each function gives what 63-bit integers give, or raises.
// A number holds an integer of up to 53 bits exactly, and a longer one if its low bits are zero.

//Provides: int53_exact
//Requires: caml_failwith
function int53_exact(big) {
  var wrapped = BigInt.asIntN(63, big), n = Number(wrapped);
  if (BigInt(n) !== wrapped) caml_failwith("an integer needs more than 53 bits");
  return n;
}

//Provides: int53_add const
//Requires: int53_exact
function int53_add(a, b) {
  var r = a + b;
  if (r <= 9007199254740991 && r >= -9007199254740991) return r;
  return int53_exact(BigInt(a) + BigInt(b));
}

//Provides: int53_sub const
//Requires: int53_exact
function int53_sub(a, b) {
  var r = a - b;
  if (r <= 9007199254740991 && r >= -9007199254740991) return r;
  return int53_exact(BigInt(a) - BigInt(b));
}

//Provides: int53_mul const
//Requires: int53_exact
function int53_mul(a, b) {
  var r = a * b;
  if (r <= 9007199254740991 && r >= -9007199254740991) return r + 0;
  return int53_exact(BigInt(a) * BigInt(b));
}

//Provides: int53_div const
//Requires: caml_raise_zero_divide
function int53_div(a, b) {
  if (b === 0) caml_raise_zero_divide();
  return Math.trunc(a / b) + 0;
}

//Provides: int53_mod const
//Requires: caml_raise_zero_divide
function int53_mod(a, b) {
  if (b === 0) caml_raise_zero_divide();
  return (a % b) + 0;
}

//Provides: int53_and const
//Requires: int53_exact
function int53_and(a, b) {
  var low = a & b;
  if ((a | 0) === a && (b | 0) === b) return low;
  var high = Math.floor(a / 4294967296) & Math.floor(b / 4294967296);
  if (high < 2097152 && high >= -2097152) return high * 4294967296 + (low >>> 0);
  return int53_exact(BigInt(a) & BigInt(b));
}

//Provides: int53_or const
//Requires: int53_exact
function int53_or(a, b) {
  var low = a | b;
  if ((a | 0) === a && (b | 0) === b) return low;
  var high = Math.floor(a / 4294967296) | Math.floor(b / 4294967296);
  if (high < 2097152 && high >= -2097152) return high * 4294967296 + (low >>> 0);
  return int53_exact(BigInt(a) | BigInt(b));
}

//Provides: int53_xor const
//Requires: int53_exact
function int53_xor(a, b) {
  var low = a ^ b;
  if ((a | 0) === a && (b | 0) === b) return low;
  var high = Math.floor(a / 4294967296) ^ Math.floor(b / 4294967296);
  if (high < 2097152 && high >= -2097152) return high * 4294967296 + (low >>> 0);
  return int53_exact(BigInt(a) ^ BigInt(b));
}

//Provides: int53_lsl const
//Requires: int53_exact
function int53_lsl(a, n) {
  var r = a * Math.pow(2, n);
  if (r <= 9007199254740991 && r >= -9007199254740991) return r;
  return int53_exact(BigInt(a) << BigInt(n));
}

//Provides: int53_asr const
function int53_asr(a, n) {
  if ((a | 0) === a) return a >> (n > 31 ? 31 : n);
  return Math.floor(a / Math.pow(2, n));
}

//Provides: int53_lsr const
//Requires: int53_exact
function int53_lsr(a, n) {
  if (a < 0) return int53_exact(BigInt.asUintN(63, BigInt(a)) >> BigInt(n));
  if (a <= 2147483647) return n > 31 ? 0 : a >>> n;
  return Math.floor(a / Math.pow(2, n));
}

//Provides: int53_of_float const
function int53_of_float(x) {
  return x !== x ? 0 : Math.trunc(x) + 0;
}

//Provides: int53_of_int32 const
function int53_of_int32(n) {
  return n;
}

//Provides: int53_to_int32 const
function int53_to_int32(n) {
  return n | 0;
}

//Provides: int53_of_int64 const
//Requires: int53_exact, MlInt64
function int53_of_int64(x) {
  if ((x.hi + 32) & 0xffc0)
    return int53_exact((BigInt(x.hi) << 48n) | (BigInt(x.mi) << 24n) | BigInt(x.lo));
  var hi = (x.hi << 16) >> 16;
  return hi * 281474976710656 + x.mi * 16777216 + x.lo;
}

//Provides: int53_to_int64 const
//Requires: MlInt64
function int53_to_int64(n) {
  var high = Math.floor(n / 16777216);
  return new MlInt64(n & 0xffffff, high & 0xffffff, Math.floor(high / 16777216) & 0xffff);
}
