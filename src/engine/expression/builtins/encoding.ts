import { ofGiven } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payText } from './cost.ts'

/** Functions that write text in another alphabet. Base 64 is of Latin-1, as in JSONata: characters up to U+00FF. */
export const ENCODING_BUILTINS: readonly Builtin[] = [
  { name: 'base64encode', signature: '<s-:s>', run: ofGiven(base64encode) },
  { name: 'base64decode', signature: '<s-:s>', run: ofGiven(base64decode) },
  { name: 'encodeUrlComponent', signature: '<s-:s>', run: converting(encodeURIComponent) },
  { name: 'encodeUrl', signature: '<s-:s>', run: converting(encodeURI) },
  { name: 'decodeUrlComponent', signature: '<s-:s>', run: converting(decodeURIComponent) },
  { name: 'decodeUrl', signature: '<s-:s>', run: converting(decodeURI) },
]

function base64encode(text: string, { budget }: Call): string {
  payText(budget, (text.length * 4) / 3 + 4)
  return Buffer.from(text, 'latin1').toString('base64')
}

function base64decode(text: string, { budget }: Call): string {
  payText(budget, text.length)
  return Buffer.from(text, 'base64').toString('latin1')
}

function converting(convert: (text: string) => string): Builtin['run'] {
  return ofGiven((text: string, { budget }) => {
    payText(budget, text.length)
    const converted = convertOrFail(convert, text)
    payText(budget, Math.max(0, converted.length - text.length))
    return converted
  })
}

function convertOrFail(convert: (text: string) => string, text: string): string {
  try {
    return convert(text)
  } catch (cause) {
    throw builtinError('D3140', { cause })
  }
}
