import { stderr, stdout } from 'node:process'
import { expect } from 'chai'
import { renderCharts } from '../corpora/chart-documents.ts'
import { missingForModules } from '../corpora/go-module.ts'
import { printReport } from '../corpora/print-report.ts'
import { readDocuments } from '../corpora/read-documents.ts'
import { runCorpora } from '../corpora/run-corpora.ts'
import { sampleOf } from '../corpora/sample.ts'
import { startServers } from '../corpora/servers.ts'
import { CHARTS, SOURCES } from '../corpora/sources.ts'
import { requireBinaries } from './shared-control-plane.ts'

/** The proof with all of them is `npm run proof:corpora`. */
const OPTIONS = { seed: 20_261_125, mutations: 2, lanes: 4 }
const SAMPLE = 50
const RENDERED = ['cockroachdb', 'kafka', 'minio', 'postgresql', 'seaweedfs-claims']

describe('Manifests of other projects are answered alike by the sandbox and a real kube-apiserver', () => {
  before(function () {
    requireBinaries(this)
    const missing = missingForModules()
    if (missing === undefined) return
    stderr.write(`SKIPPED: manifests of other projects are in Go modules, and ${missing}\n`)
    this.skip() // without Go there are no modules to read
  })

  it('a sample of documents, CRDs and charts, from dry run to deletion', async function () {
    this.timeout(600_000)
    const charts = await renderCharts(CHARTS.filter(({ name }) => RENDERED.includes(name)))
    const documents = sampleOf([...SOURCES.flatMap(readDocuments), ...charts], SAMPLE, OPTIONS.seed)
    const servers = await startServers()
    try {
      const report = await runCorpora(servers, { ...OPTIONS, documents })
      const text = printReport(report)
      stdout.write(text)
      expect(report.pairs).to.be.at.least(SAMPLE)
      expect(report.found.length, text).to.equal(0)
    } finally {
      await servers.stop()
    }
  })
})
