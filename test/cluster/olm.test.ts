import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { GeneratedFile } from '../../src/rolebook/generate/generated-file.ts'
import { buildProgram, hasGo } from '../control-plane/go-build.ts'
import { generatedBundle } from '../support/generated-bundle.ts'

interface Finding {
  readonly level: 'Error' | 'Warning'
  readonly field: string
  readonly detail: string
}

/** What the validators would like to see, and why it is not there. */
const WISHES: readonly RegExp[] = [
  /csv\.Spec\.Icon not specified/, // a picture is the publisher's to give
  /removed in v1\.25\..* Migrate the API\(s\) for events/, // a rule names no version: that of events.k8s.io is v1
]

describe('a bundle, as operator-sdk bundle validate judges it', function () {
  this.timeout(30 * 60_000)
  let validator: string

  before(function () {
    if (!hasGo()) this.skip() // the validators are a Go module
    validator = buildProgram('validate-bundle', { module: 'olm', package: '.' })
  })

  it('has no error by any validator, and no warning but known ones', async () => {
    const found = judge(await generatedBundle())
    expect(found.filter(({ level }) => level === 'Error')).to.deep.equal([])
    const unknown = found.filter(({ detail, field }) => !WISHES.some((wish) => wish.test(`${field} ${detail}`)))
    expect(unknown).to.deep.equal([])
  })

  const BROKEN: readonly {
    readonly name: string
    readonly from: string
    readonly to: string
    readonly error: RegExp
  }[] = [
    {
      name: 'an owned CRD that is not there',
      from: 'kind: MaintPage',
      to: 'kind: Page',
      error: /owned CRD .* not found in bundle/,
    },
    {
      name: 'no install mode',
      from: 'supported: true',
      to: 'supported: false',
      error: /none of InstallModeTypes are supported/,
    },
    {
      name: 'a name that is none',
      from: 'name: webs.v1.2.3',
      to: 'name: webs_1',
      error: /metadata\.name .* is invalid/,
    },
  ]
  for (const { name, from, to, error } of BROKEN) {
    it(`with ${name} has an error`, async () => {
      const files = (await generatedBundle()).map((file) =>
        file.path.endsWith('clusterserviceversion.yaml') ? { ...file, text: file.text.replace(from, to) } : file,
      )
      const errors = judge(files).filter(({ level }) => level === 'Error')
      expect(errors.map(({ detail }) => detail).join('\n')).to.match(error)
    })
  }

  function judge(files: readonly GeneratedFile[]): readonly Finding[] {
    const folder = mkdtempSync(join(tmpdir(), 'rolebook-bundle-'))
    try {
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      return JSON.parse(execFileSync(validator, [folder, '1.36'], { encoding: 'utf8' })) as Finding[]
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
})
