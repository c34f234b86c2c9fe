import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The formats of OCI images that are written here. */
export const MEDIA_TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  inToto: 'application/vnd.in-toto+json',
} as const

/** The time of all that is written: the same input makes the same image. */
export const CREATED = '1970-01-01T00:00:00Z'

/** The user and the group `nonroot` of distroless images. */
export const NONROOT = 65532

export interface Platform {
  readonly os: string
  readonly architecture: string
  readonly variant?: string
}

/** What names a blob, and says what is in it. */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly platform?: Platform
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Manifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

/** A folder in the OCI image layout: `index.json` names blobs by their digests. */
export class OciLayout {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws Error when it is not there, or is not what the descriptor says */
  read({ digest, size }: Descriptor): Buffer {
    const bytes = readFileSync(this.#pathOf(digest))
    if (digestOf(bytes) !== digest || bytes.length !== size) {
      throw new Error(
        `cannot use the blob ${digest} of ${this.#folder}: it holds something else (copy the image again)`,
      )
    }
    return bytes
  }

  readJson<Value>(descriptor: Descriptor): Value {
    return JSON.parse(this.read(descriptor).toString('utf8')) as Value
  }

  /** What `index.json` names. */
  roots(): readonly Descriptor[] {
    return (JSON.parse(readFileSync(join(this.#folder, 'index.json'), 'utf8')) as Index).manifests
  }

  /** The image for each platform, however deep its index lies. What is attached to images has no platform. */
  images(): readonly Descriptor[] {
    return this.#imagesIn(this.roots())
  }

  #imagesIn(descriptors: readonly Descriptor[]): readonly Descriptor[] {
    return descriptors.flatMap((one) => {
      const content = this.readJson<Partial<Index & Manifest>>(one)
      if (content.manifests) return this.#imagesIn(content.manifests)
      if (one.platform?.os === 'unknown') return []
      return content.config === undefined
        ? []
        : [one.platform ? one : { ...one, platform: this.#platformOf(content.config) }]
    })
  }

  #platformOf(config: Descriptor): Platform {
    const { os, architecture } = this.readJson<Platform>(config)
    return { os, architecture }
  }

  write(mediaType: string, bytes: Uint8Array): Descriptor {
    const digest = digestOf(bytes)
    mkdirSync(join(this.#folder, 'blobs/sha256'), { recursive: true })
    writeFileSync(this.#pathOf(digest), bytes)
    return { mediaType, digest, size: bytes.length }
  }

  writeJson(mediaType: string, value: object): Descriptor {
    return this.write(mediaType, Buffer.from(JSON.stringify(value)))
  }

  /** Makes it a layout: with one image for several platforms, under a name. */
  finish(manifests: readonly Descriptor[], name: string): Descriptor {
    const index = this.writeJson(MEDIA_TYPES.index, { schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests })
    const annotations = { 'org.opencontainers.image.ref.name': name }
    writeFileSync(join(this.#folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
    const root = { schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: [{ ...index, annotations }] }
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify(root))
    return index
  }

  #pathOf(digest: string): string {
    return join(this.#folder, 'blobs', digest.replace(':', '/'))
  }
}

interface Index {
  readonly manifests: readonly Descriptor[]
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
