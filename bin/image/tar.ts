/** What is in an archive: a folder, a file or a link. */
export interface TarEntry {
  /** Relative, with `/`. */
  readonly path: string
  readonly mode: number
  /** Of a file. */
  readonly content?: Uint8Array
  /** Where a symbolic link leads. */
  readonly link?: string
}

const BLOCK = 512
const TYPES = { file: '0', link: '2', folder: '5' } as const

/**
 * An archive in the format ustar: the same entries give the same bytes. All belong to root and to no time, and they are sorted
 * by their paths, so that a folder comes before what is in it.
 *
 * @throws Error when a path, or where a link leads, is longer than the format takes
 */
export function tar(entries: readonly TarEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const blocks = sorted.flatMap((entry) => {
    const { content = new Uint8Array() } = entry
    return [headerOf(entry), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function headerOf(entry: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK)
  const type = typeOf(entry)
  const { name, prefix } = splitPath(type === 'folder' ? `${entry.path}/` : entry.path)
  header.write(name, 0)
  header.write(octal(entry.mode, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(entry.content?.length ?? 0, 12), 124)
  header.write(octal(0, 12), 136)
  // The checksum is counted as if its own field were blank.
  header.write(' '.repeat(8), 148)
  header.write(TYPES[type], 156)
  header.write(linkOf(entry), 157)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
  return header
}

function typeOf({ content, link }: TarEntry): keyof typeof TYPES {
  if (link !== undefined) return 'link'
  return content === undefined ? 'folder' : 'file'
}

function linkOf({ path, link = '' }: TarEntry): string {
  if (Buffer.byteLength(link) > 100) throw new Error(`cannot archive ${path}: where the link leads is too long`)
  return link
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\u0000`
}

/** A long path stands in two fields, cut at a `/`. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  const cut = [...path.slice(0, -1).matchAll(/\//g)].map(({ index }) => index).find((at) => path.length - at - 1 <= 100)
  if (cut === undefined || cut > 155) throw new Error(`cannot archive ${path}: its path is too long`)
  return { name: path.slice(cut + 1), prefix: path.slice(0, cut) }
}
