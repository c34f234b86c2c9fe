import { hashJson } from '../../../../core/base/hash.ts'
import type { JsonValue } from '../../../../core/base/json.ts'
import { SAFE_LETTERS } from '../../write/identities.ts'

/** A short text for a template, the same for equal ones: 32 bits as the server prints them in names and labels. */
export function templateHash(template: JsonValue, collisions = 0): string {
  const number = Number.parseInt(hashJson(template).slice(0, 8), 16)
  return safeText(String((number + collisions) % 2 ** 32))
}

function safeText(text: string): string {
  return [...text].map((letter) => SAFE_LETTERS[letter.charCodeAt(0) % SAFE_LETTERS.length]).join('')
}
