import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { readinessOf } from '../../src/core/kube/readiness.ts'
import { buildProgram, go, hasGo } from '../control-plane/go-build.ts'
import { KSTATUS_DIFFERENCES, type Verdict, verdictOn } from '../core/kube/kstatus-differences.ts'
import { kstatusCorpus } from './kstatus-corpus.ts'

const MODULE = 'sigs.k8s.io/cli-utils'
const PACKAGE = 'pkg/kstatus/status'

const VERDICTS: Readonly<Record<string, Verdict>> = {
  Current: 'ready',
  InProgress: 'notReady',
  Terminating: 'notReady',
  Failed: 'failed',
  Error: 'error',
}

interface KstatusCase {
  readonly name: string
  readonly object: KubeObject
  readonly status: string
}

describe('readiness, as kstatus judges it', function () {
  this.timeout(30 * 60_000)
  let program: string

  before(function () {
    if (!hasGo()) this.skip() // kstatus is a Go module
    program = buildProgram('kstatus', { module: 'kstatus', package: '.' })
  })

  function linesOf(args: readonly string[], input = ''): readonly string[] {
    return execFileSync(program, args, { input, encoding: 'utf8', maxBuffer: 1e9 }).trim().split('\n')
  }

  function compute(objects: readonly KubeObject[]): readonly Verdict[] {
    const input = objects.map((object) => JSON.stringify(object)).join('\n')
    return linesOf(['compute'], input).map((line) => verdictOf(JSON.parse(line)))
  }

  it('is the same in the cases of its own tests, but for the differences that are explained', () => {
    const folder = join(go('kstatus', 'list', '-m', '-f', '{{.Dir}}', MODULE), PACKAGE)
    const cases = linesOf(['cases', folder]).map((line): KstatusCase => JSON.parse(line))
    expect(cases).to.have.length.above(50)
    const unexplained = cases.filter(({ object, status }) => !isExplained(object, verdictOf(status)))
    expect(unexplained.map(({ name }) => name)).to.deep.equal([])
  })

  it('is the same for objects of every kind that it knows, with all fields varied, but for these differences', () => {
    const corpus = [...kstatusCorpus()]
    const verdicts = compute(corpus)
    const unexplained = corpus.filter((object, index) => !isExplained(object, verdicts[index] ?? 'error'))
    expect(corpus).to.have.length.above(100_000)
    expect(unexplained.slice(0, 5).map((object) => [object, readinessOf(object)])).to.deep.equal([])
    for (const kind of ['ready', 'notReady', 'failed']) expect(verdicts).to.include(kind)
  })

  it('differs in each example of an explained difference', () => {
    const verdicts = compute(KSTATUS_DIFFERENCES.map(({ example }) => example))
    expect(verdicts).to.deep.equal(KSTATUS_DIFFERENCES.map(({ kstatus }) => kstatus[0]))
  })
})

function verdictOf(status: string): Verdict {
  const verdict = VERDICTS[status]
  if (verdict === undefined) throw new Error(`cannot compare: kstatus gave ${JSON.stringify(status)}`)
  return verdict
}

function isExplained(object: KubeObject, kstatus: Verdict): boolean {
  const ours = verdictOn(object)
  if (ours === kstatus) return true
  return KSTATUS_DIFFERENCES.some(
    (difference) => difference.kstatus.includes(kstatus) && difference.ours === ours && difference.covers(object),
  )
}
