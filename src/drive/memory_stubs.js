// JavaScript's runtime gives memory back by itself.

//Provides: weir_memory_trim
function weir_memory_trim(unit) {
  return 0;
}
