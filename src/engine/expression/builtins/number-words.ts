const UNITS = words(
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen',
)
const ORDINALS = words(
  'Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth',
)
const TENS = words('Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety')
const MAGNITUDES = words('Thousand Million Billion Trillion')

function words(list: string): readonly string[] {
  return list.split(' ')
}

/** A whole number, not negative, in English: `One Thousand, Two Hundred and Thirty-Four`, or as ordinal. */
export function numberToWords(value: number, ordinal: boolean): string {
  return spell(value, { ordinal, joined: false })
}

interface Style {
  readonly ordinal: boolean
  /** Follows other words, so that it starts with what joins them. */
  readonly joined: boolean
}

function spell(value: number, style: Style): string {
  if (value <= 19) return (style.joined ? ' and ' : '') + at(style.ordinal ? ORDINALS : UNITS, value)
  if (value < 100) return spellTens(value, style)
  if (value < 1000) return spellLarge(value, { ...style, factor: 100, name: 'Hundred' })
  const magnitude = Math.min(Math.floor(Math.log10(value) / 3), MAGNITUDES.length)
  return spellLarge(value, { ...style, factor: 10 ** (magnitude * 3), name: at(MAGNITUDES, magnitude - 1) })
}

function spellTens(value: number, { ordinal, joined }: Style): string {
  const rest = value % 10
  const tens = at(TENS, Math.floor(value / 10) - 2)
  const start = joined ? ' and ' : ''
  if (rest > 0) return `${start}${tens}-${spell(rest, { ordinal, joined: false })}`
  return start + (ordinal ? ordinalOfTens(tens) : tens)
}

function spellLarge(value: number, style: Style & { readonly factor: number; readonly name: string }): string {
  const { ordinal, joined, factor, name } = style
  const count = Math.floor(value / factor)
  const rest = value - count * factor
  const start = `${joined ? ', ' : ''}${spell(count, { ordinal: false, joined: false })} ${name}`
  if (rest > 0) return start + spell(rest, { ordinal, joined: true })
  return start + (ordinal ? 'th' : '')
}

function ordinalOfTens(word: string): string {
  return `${word.slice(0, -1)}ieth`
}

function at(list: readonly string[], index: number): string {
  return list[index] as string
}

/** What each word counts, in lower case. */
export const WORD_VALUES: ReadonlyMap<string, number> = new Map(
  [
    ...UNITS.map((word, index) => [word, index] as const),
    ...ORDINALS.map((word, index) => [word, index] as const),
    ...TENS.flatMap((word, index) => withOrdinal(word, ordinalOfTens(word), (index + 2) * 10)),
    ...withOrdinal('Hundred', 'Hundredth', 100),
    ...MAGNITUDES.flatMap((word, index) => withOrdinal(word, `${word}th`, 1000 ** (index + 1))),
  ].map(([word, value]) => [word.toLowerCase(), value] as const),
)

function withOrdinal(word: string, ordinal: string, value: number): (readonly [string, number])[] {
  return [
    [word, value],
    [ordinal, value],
  ]
}

/** The number that words spell, in lower case; NaN for other words. */
export function wordsToNumber(text: string): number {
  const segments = [0]
  for (const word of text.split(/,\s|\sand\s|[\s\\-]/)) {
    const value = WORD_VALUES.get(word) ?? Number.NaN
    let last = segments.pop() as number
    if (value < 100) {
      if (last >= 1000) {
        segments.push(last)
        last = 0
      }
      segments.push(last + value)
    } else {
      segments.push(last * value)
    }
  }
  return segments.reduce((total, segment) => total + segment, 0)
}
