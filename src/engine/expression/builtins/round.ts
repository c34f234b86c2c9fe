/** Rounds to so many decimal places, halves to the even neighbour. A negative precision rounds tens, hundreds … */
export function roundHalfEven(value: number, precision = 0): number {
  const shifted = precision === 0 ? value : shiftPoint(value, precision)
  let rounded = Math.round(shifted)
  if (Math.abs(rounded - shifted) === 0.5 && Math.abs(rounded % 2) === 1) rounded -= 1
  const result = precision === 0 ? rounded : shiftPoint(rounded, -precision)
  return result === 0 ? 0 : result
}

/** Times 10 to the power of `places`, by way of text: multiplying would bring in errors of floating point. */
function shiftPoint(value: number, places: number): number {
  const [digits, exponent] = String(value).split('e')
  return Number(`${digits}e${Number(exponent ?? 0) + places}`)
}
