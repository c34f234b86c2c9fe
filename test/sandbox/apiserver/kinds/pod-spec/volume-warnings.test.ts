import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { volumeWarnings } from '../../../../../src/sandbox/apiserver/kinds/pod-spec/volume-warnings.ts'

const trust = (source: JsonObject): JsonObject => ({ clusterTrustBundle: source })
const certificate = (source: JsonObject): JsonObject => ({ podCertificate: source })

describe('Warnings about files that meet in a projected volume', () => {
  const cases: readonly {
    readonly name: string
    readonly sources: readonly JsonObject[]
    readonly expected: readonly string[]
  }[] = [
    {
      name: 'of bundles of trust, each by what names it',
      sources: [trust({ name: 'a', path: 'ca' }), trust({ signerName: 'example.com/b', path: 'ca/b' })],
      expected: ['"ca/b" (ClusterTrustBundle "example.com/b") with "ca" (ClusterTrustBundle "a")'],
    },
    {
      name: 'of bundles of trust that nothing names',
      sources: [trust({ path: 'ca' }), trust({ path: 'ca' })],
      expected: ['"ca" (ClusterTrustBundle "") with "ca" (ClusterTrustBundle "")'],
    },
    {
      name: 'of the certificate of a pod',
      sources: [
        certificate({ keyPath: 'key', certificateChainPath: 'chain' }),
        certificate({ credentialBundlePath: 'key/' }),
      ],
      expected: ['"key" (PodCertificate credential bundle) with "key" (PodCertificate key)'],
    },
    {
      name: 'a file without a path meets none',
      sources: [{ secret: { name: 's', items: [{ key: 'k', path: '' }] } }, { serviceAccountToken: { path: 'token' } }],
      expected: [],
    },
  ]
  for (const { name, sources, expected } of cases) {
    it(name, () => {
      const warnings = volumeWarnings({ volumes: [{ name: 'v', projected: { sources } }] }, 'spec')
      expect(warnings).to.deep.equal(expected.map((text) => `volume "v" (Projected): overlapping paths: ${text}`))
    })
  }
})
