import { didYouMean } from '../../core/base/nearest-name.ts'
import type { Problem } from '../../core/yaml/diagnostic.ts'

/** A key of a Secret whose value is random: made once, and read from the live object ever after. */
export interface GeneratedKey {
  /** Below `data`. */
  readonly key: string
  readonly length: number
  /** The characters that its value is made of, each once. */
  readonly characters: string
}

const DIGITS = '0123456789'
const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz'
const UPPERCASE = LOWERCASE.toUpperCase()

/** Sets of characters that have a name. */
export const CHARSETS: Readonly<Record<string, string>> = {
  alphanumeric: UPPERCASE + LOWERCASE + DIGITS,
  letters: UPPERCASE + LOWERCASE,
  lowercase: LOWERCASE + DIGITS,
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  base64url: `${UPPERCASE}${LOWERCASE}${DIGITS}-_`,
  // Without quotes, backslash and white space, which shells, YAML and connection strings read as something else.
  ascii: `${UPPERCASE}${LOWERCASE}${DIGITS}!#$%&()*+,-./:;<=>?@[]^_{|}~`,
}

export const DEFAULT_LENGTH = 32
export const DEFAULT_CHARSET = 'alphanumeric'

/** Shorter values can be guessed; longer ones are no passwords. */
export const LENGTH_BOUNDS = { minimum: 8, maximum: 1024 } as const

/** Fewer are most likely a name that is spelt wrong, and make values that can be guessed. */
const FEWEST_CHARACTERS = 10

/** The characters that a `charset` means: those of its name, or its own. */
export function charactersOf(charset: string): string {
  return CHARSETS[charset] ?? charset
}

/** Why a text is neither the name of a set nor a set of characters. */
export function charsetProblem(charset: string): Problem | undefined {
  if (Object.hasOwn(CHARSETS, charset)) return undefined
  const names = Object.keys(CHARSETS)
  const hint = didYouMean(charset, names) ?? `give ${FEWEST_CHARACTERS} or more, or one of ${names.join(', ')}`
  const refuse = (message: string): Problem => ({ code: 'RB1140', message, hint })
  if (!/^[\x21-\x7e]*$/.test(charset))
    return refuse('a set of characters is made of those that ASCII can print, without space')
  const twice = [...charset].find((character, index) => charset.indexOf(character) < index)
  if (twice !== undefined) return refuse(`\`${twice}\` stands in the set twice, and would come more often than others`)
  if (charset.length >= FEWEST_CHARACTERS) return undefined
  return refuse(`a set of ${charset.length} characters makes values that can be guessed`)
}
