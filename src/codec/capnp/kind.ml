let void = 0
let bit = 1
let byte = 2
let two_bytes = 3
let four_bytes = 4
let eight_bytes = 5
let pointer = 6
let struct_ = 7
