import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { printChartsFile } from '../../src/config/charts-file.ts'
import { filesOfRole } from '../../src/config/files-of-role.ts'
import { readProjectFiles } from '../../src/config/project-files.ts'
import type { ChartSource } from '../../src/kube/helm-chart.ts'
import { ProjectFolder, WATCHES } from '../support/project-folder.ts'

const ROLE = 'tasks: []\n'
const CHART = 'apiVersion: v2\nname: a\nversion: 1.0.0\n'
const IMAGE = Uint8Array.from([0xff, 0x00, 0xfe])

describe('1: charts of a role', () => {
  let folder: ProjectFolder
  afterEach(() => folder.delete())

  async function chartIn(files: Readonly<Record<string, string | Uint8Array>>, path: string): Promise<unknown> {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, ...files })
    const read = await readProjectFiles(folder.options)
    return told(filesOfRole('web', read, folder.path('roles')).chart?.(path)?.chart)
  }
  const told = (chart: ChartSource | undefined): unknown => {
    if (!chart || 'size' in chart) return chart
    return 'archive' in chart
      ? 'archive'
      : Object.fromEntries([...chart.files].map(([n, b]) => [n, Buffer.from(b).toString('latin1')]))
  }
  const all = { 'Chart.yaml': CHART, '.helmignore': '*.bak\n', 'templates/a.tpl': 'a', 'icon.png': IMAGE }
  const expected = { 'Chart.yaml': CHART, '.helmignore': '*.bak\n', 'templates/a.tpl': 'a', 'icon.png': '\xff\x00\xfe' }
  const within = (place: string): Record<string, string | Uint8Array> =>
    Object.fromEntries(Object.entries(all).map(([name, content]) => [`${place}/${name}`, content]))

  const cases = [
    { name: 'a folder', files: within('roles/web/charts/a'), path: 'charts/a', chart: expected },
    { name: 'a folder in a folder', files: within('roles/web/charts/x/a'), path: 'charts/x/a', chart: expected },
    { name: 'an archive', files: { 'roles/web/charts/a-1.tgz': IMAGE }, path: 'charts/a-1.tgz', chart: 'archive' },
    { name: 'none', files: {}, path: 'charts/a', chart: undefined },
    {
      name: 'a folder without a chart',
      files: { 'roles/web/charts/a/b.yaml': '' },
      path: 'charts/a',
      chart: undefined,
    },
    {
      name: 'one far down',
      files: within(`roles/web/charts${'/x'.repeat(22)}`),
      path: `charts${'/x'.repeat(22)}`,
      chart: undefined,
    },
    { name: 'one outside of charts/', files: within('roles/web/files/a'), path: 'files/a', chart: undefined },
    {
      name: 'one that is far too large',
      files: { 'roles/web/charts/a/Chart.yaml': CHART, 'roles/web/charts/a/large': 'x'.repeat(41 * 2 ** 20) },
      path: 'charts/a',
      chart: { size: 41 * 2 ** 20 },
    },
  ]
  for (const { name, files, path, chart } of cases) {
    it(`are found in its folder: ${name}`, async () =>
      expect(await chartIn({ 'roles/web/role.yaml': ROLE, ...files }, path)).to.deep.equal(chart))
  }

  it('are found in one file beside it, as in a mounted ConfigMap', async () => {
    const files = new Map(Object.entries(all).map(([name, content]) => [`charts/a/${name}`, Buffer.from(content)]))
    const text = printChartsFile(files)
    expect(await chartIn({ 'roles/web.yaml': ROLE, 'roles/web.charts.json': text }, 'charts/a')).to.deep.equal(expected)
  })

  for (const text of ['{', '[]', '{"charts/a/Chart.yaml": 1}']) {
    it(`are not in a file that holds something else: ${text}`, async () =>
      expect(await chartIn({ 'roles/web.yaml': ROLE, 'roles/web.charts.json': text }, 'charts/a')).to.equal(undefined))
  }

  it('do not lead out of its folder', async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/web/role.yaml': ROLE,
      'outside/Chart.yaml': CHART,
    })
    await folder.link('roles/web/charts/a', folder.path('outside'))
    const read = await readProjectFiles(folder.options)
    expect(filesOfRole('web', read, folder.path('roles')).chart?.('charts/a')).to.equal(undefined)
  })

  it('are read without what is no file in their folder, and do not wait for it', async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/web/role.yaml': ROLE,
      ...within('roles/web/charts/a'),
    })
    await promisify(execFile)('mkfifo', [folder.path('roles/web/charts/a/pipe')])
    const read = await readProjectFiles(folder.options)
    const found = filesOfRole('web', read, folder.path('roles')).chart?.('charts/a')?.chart
    expect(told(found)).to.deep.equal(expected)
  })

  it('are part of what changes a project', async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/web/role.yaml': ROLE,
      ...within('roles/web/charts/a'),
    })
    const { hash, directories } = await readProjectFiles(folder.options)
    await folder.write('roles/web/charts/a/templates/a.tpl', 'b')
    expect((await readProjectFiles(folder.options)).hash).to.not.equal(hash)
    expect(directories).to.include(folder.path('roles/web/charts/a/templates'))
  })
})
