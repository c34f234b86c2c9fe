import { type Descriptor, MEDIA_TYPES, type OciLayout } from './oci-layout.ts'

export interface Attested {
  /** The list of what is in the image, in the format CycloneDX. */
  readonly sbom: object
  readonly version: string
  /** What it was built on: the image of the same platform in the base. */
  readonly base: Descriptor
  /** Where it was built, as a URI. */
  readonly builder: string
  /** The commit that it was built from. Absent: it is not known. */
  readonly commit?: string | undefined
}

const STATEMENT = 'https://in-toto.io/Statement/v1'
const NAME = 'rolebook'

/**
 * Attaches to an image what is in it and how it was built, in the way of BuildKit: a manifest beside it in the same index, which
 * goes wherever the index is copied. They are not signed.
 */
export function writeAttestations(layout: OciLayout, image: Descriptor, attested: Attested): Descriptor {
  const subject = [{ name: NAME, digest: { sha256: hexOf(image) } }]
  const statements = [
    { predicateType: 'https://cyclonedx.org/bom', predicate: attested.sbom },
    { predicateType: 'https://slsa.dev/provenance/v1', predicate: provenanceOf(attested) },
  ]
  const layers = statements.map(({ predicateType, predicate }) => ({
    ...layout.writeJson(MEDIA_TYPES.inToto, { _type: STATEMENT, subject, predicateType, predicate }),
    annotations: { 'in-toto.io/predicate-type': predicateType },
  }))
  const platform = { os: 'unknown', architecture: 'unknown' }
  const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) }
  const config = layout.writeJson(MEDIA_TYPES.config, { ...platform, config: {}, rootfs })
  const manifest = { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers }
  return {
    ...layout.writeJson(MEDIA_TYPES.manifest, manifest),
    platform,
    annotations: {
      'vnd.docker.reference.type': 'attestation-manifest',
      'vnd.docker.reference.digest': image.digest,
    },
  }
}

/** Without times, so that the same sources give the same image. */
function provenanceOf({ version, base, builder, commit }: Attested) {
  const source = commit === undefined ? [] : [{ uri: `git+commit:${commit}`, digest: { gitCommit: commit } }]
  return {
    buildDefinition: {
      buildType: 'https://rolebook.dev/build/image/v1',
      externalParameters: { version },
      resolvedDependencies: [{ name: 'base', digest: { sha256: hexOf(base) } }, ...source],
    },
    runDetails: { builder: { id: builder } },
  }
}

function hexOf({ digest }: Descriptor): string {
  return digest.replace('sha256:', '')
}
