/** How many characters a text has: a surrogate pair is one. */
export function countCodePoints(text: string): number {
  let pairs = 0
  for (let index = 0; index < text.length; index++) if (isPairAt(text, index)) pairs += 1
  return text.length - pairs
}

/** `Array.prototype.slice` over the characters of a text. */
export function sliceCodePoints(text: string, start: number, end?: number): string {
  if (!/[\ud800-\udbff]/.test(text)) return text.slice(start, end)
  const count = countCodePoints(text)
  const from = unitOffset(text, toIndex(start, count))
  const to = end === undefined ? text.length : unitOffset(text, toIndex(end, count))
  return text.slice(from, Math.max(from, to))
}

function toIndex(position: number, count: number): number {
  const whole = Math.trunc(position) || 0
  return whole < 0 ? Math.max(0, count + whole) : Math.min(whole, count)
}

/** Where the character `index` starts, in UTF-16 units. */
function unitOffset(text: string, index: number): number {
  let offset = 0
  for (let passed = 0; passed < index; passed++) offset += isPairAt(text, offset) ? 2 : 1
  return offset
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(index + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
