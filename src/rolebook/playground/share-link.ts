import type { ProjectTexts } from './protocol.ts'

/** What a link may hold: more is not a project to show, and browsers cut longer addresses. */
const MOST_CHARACTERS = 64 * 1024
const MOST_UNPACKED = 1024 * 1024
export const MOST_FILES = 200
const PREFIX = 'project='
const EXAMPLE = 'example'
/** Below the folder of the project, without a way out. */
export const SHARED_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?:[\w.-]+\/){0,8}[\w.-]+$/

/**
 * The project as the fragment of an address, packed.
 *
 * @throws Error when it is too large
 */
export async function toFragment(files: ProjectTexts): Promise<string> {
  const packed = new Blob([JSON.stringify(files)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const text = toBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()))
  if (text.length <= MOST_CHARACTERS) return PREFIX + text
  throw new Error(`cannot make a link: the project takes ${text.length} characters, more than ${MOST_CHARACTERS}`)
}

/**
 * The project of a fragment; `undefined` when the fragment is about something else.
 *
 * @throws Error when it holds no project
 */
export async function fromFragment(fragment: string): Promise<ProjectTexts | undefined> {
  const text = fragment.replace(/^#/, '')
  if (!text.startsWith(PREFIX)) return undefined
  const packed = text.slice(PREFIX.length)
  if (packed.length > MOST_CHARACTERS) throw unreadable('it is too long')
  return checkedProject(await unpack(packed))
}

/** The fragment that opens a project which the page brings along. */
export function exampleFragment(name: string): string {
  return new URLSearchParams({ [EXAMPLE]: name }).toString()
}

/**
 * Which of the projects of the page a fragment asks for; `undefined` when it is about something else.
 *
 * @throws Error when the page has none with this name
 */
export function exampleOf(fragment: string, names: readonly string[]): string | undefined {
  const wanted = new URLSearchParams(fragment.replace(/^#/, '')).get(EXAMPLE)
  if (wanted === null || names.includes(wanted)) return wanted ?? undefined
  throw new Error('cannot open the example of the link: the page has none with this name (choose one above)')
}

async function unpack(packed: string): Promise<unknown> {
  try {
    const stream = new Blob([fromBase64Url(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await atMost(stream, MOST_UNPACKED)))
  } catch {
    throw unreadable('it is damaged, or too large')
  }
}

/** A short text may unpack to a long one: it is read no further than it may be long. */
async function atMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) throw new Error('too large')
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

/**
 * A value from outside as a project.
 *
 * @throws Error when it is none
 */
export function checkedProject(value: unknown): ProjectTexts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable('it is not a project')
  const entries = Object.entries(value)
  if (entries.length > MOST_FILES) throw unreadable(`it has more than ${MOST_FILES} files`)
  for (const [path, text] of entries) {
    if (!SHARED_PATH.test(path)) throw unreadable('a file has a name that cannot be used')
    if (typeof text !== 'string') throw unreadable(`${path} is not a text`)
  }
  return Object.fromEntries(entries)
}

function unreadable(cause: string): Error {
  return new Error(`cannot open the project of the link: ${cause}`)
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (character) => character.charCodeAt(0))
}
