import { gzipSync } from 'node:zlib'
import { type Descriptor, digestOf, MEDIA_TYPES, type OciLayout } from './oci-layout.ts'
import { type TarEntry, tar } from './tar.ts'

/** Files of an image, and the digest of their archive before it was compressed, by which the image knows them. */
export interface Layer {
  readonly descriptor: Descriptor
  readonly diffId: string
}

export function writeLayer(layout: OciLayout, entries: readonly TarEntry[]): Layer {
  const archive = tar(withFolders(entries))
  const compressed = gzipSync(archive)
  // zlib says there on which system it ran: of no use, and another one on each.
  compressed[9] = 255
  return { descriptor: layout.write(MEDIA_TYPES.layer, compressed), diffId: digestOf(archive) }
}

/** With the folders in which they lie. */
function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const given = new Set(entries.map(({ path }) => path))
  const parents = new Set(entries.flatMap(({ path }) => parentsOf(path)).filter((path) => !given.has(path)))
  return [...entries, ...[...parents].map((path) => ({ path, mode: 0o755 }))]
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
}
