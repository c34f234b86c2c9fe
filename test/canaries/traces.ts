/** So many characters of a text, in whatever form, tell it from all others. */
const LENGTH = 8
/** Bytes of base64 that decide as many. */
const BASE64_LENGTH = 12

/** Finds what is left of a text in others: parts of it, plain or encoded. */
export class Traces {
  readonly #parts = new Map<string, string>()

  constructor(text: string) {
    for (let start = 0; start + LENGTH <= text.length; start++)
      for (const [form, print] of Object.entries(FORMS)) this.#parts.set(print(text.slice(start, start + LENGTH)), form)
    const name = nameOf(text)
    for (let start = 0; start + LENGTH <= name.length; start++)
      this.#parts.set(name.slice(start, start + LENGTH), 'name')
    for (const [form, encoded] of Object.entries(base64Of(text)))
      for (let start = 0; start + BASE64_LENGTH <= encoded.length; start++)
        this.#parts.set(encoded.slice(start, start + BASE64_LENGTH), form)
  }

  /** In which form a part of the text stands in what was told. */
  in(told: ToldText): { readonly form: string; readonly around: string } | undefined {
    for (const [part, form] of this.#parts) {
      const around = told.around(part)
      if (around !== undefined) return { form, around }
    }
    return undefined
  }
}

/** What an operator has told, made ready to be searched for many parts. */
export class ToldText {
  readonly #text: string
  /** Where each run of the shortest length begins first. */
  readonly #starts = new Set<string>()

  constructor(text: string) {
    this.#text = text
    for (let start = 0; start + LENGTH <= text.length; start++) this.#starts.add(text.slice(start, start + LENGTH))
  }

  around(part: string): string | undefined {
    // Most parts are ruled out without a search.
    if (!this.#starts.has(part.slice(0, LENGTH))) return undefined
    const start = this.#text.indexOf(part)
    return start === -1 ? undefined : this.#text.slice(Math.max(0, start - 300), start + 200)
  }
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A part of a text as programs print it. Of those that print it alike the last gives its name. */
const FORMS: Readonly<Record<string, (part: string) => string>> = {
  JSON: quoted,
  'JSON in JSON': (part) => quoted(quoted(part)),
  URL: (part) => encodeURIComponent(part.toWellFormed()),
  'URL of a whole': (part) => encodeURI(part.toWellFormed()),
  hex: (part) => Buffer.from(part).toString('hex'),
  capitals: (part) => part.toUpperCase(),
  'small letters': (part) => part.toLowerCase(),
  'name with dashes': (part) => (/[A-Za-z0-9]/.test(part) ? part.toLowerCase().replace(/[^a-z0-9]/g, '-') : part),
  plain: (part) => part,
}

/** What a name can have of a text. */
const nameOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The text in base64, also of something longer: without what its neighbours decide. */
function base64Of(text: string): Readonly<Record<string, string>> {
  const encode = (before: string, encoding: BufferEncoding): string =>
    Buffer.from(before + text, encoding)
      .toString('base64')
      .slice(before === '' ? 0 : 4, -4)
  return {
    base64: encode('', 'utf8'),
    'base64 after a byte': encode('x', 'utf8'),
    'base64 after two bytes': encode('xy', 'utf8'),
    'base64 of Latin-1': encode('', 'latin1'),
    'base64 of Latin-1 after a byte': encode('x', 'latin1'),
    'base64 of Latin-1 after two bytes': encode('xy', 'latin1'),
  }
}
