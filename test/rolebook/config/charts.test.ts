import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { ChartSource } from '../../../src/core/kube/helm-chart.ts'
import { printChartsFile } from '../../../src/rolebook/config/charts-file.ts'
import { filesOfRole } from '../../../src/rolebook/config/files-of-role.ts'
import { readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { readCharts } from '../../../src/rolebook/config/read-charts.ts'
import { ProjectFolder, WATCHES } from '../../support/project-folder.ts'

const ROLE = 'tasks: []\n'
const CHART = 'apiVersion: v2\nname: a\nversion: 1.0.0\n'
const IMAGE = Uint8Array.from([0xff, 0x00, 0xfe])

describe('charts of a role', () => {
  let folder: ProjectFolder
  afterEach(() => folder.delete())

  async function chartIn(files: Readonly<Record<string, string | Uint8Array>>, path: string): Promise<unknown> {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, ...files })
    const read = await readProjectFiles(folder.options)
    return contentOf(filesOfRole('web', read, folder.path('roles')).chart?.(path)?.chart)
  }
  const contentOf = (chart: ChartSource | undefined): unknown => {
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

  for (const { text, says } of [
    { text: '{', says: 'it is not a JSON object' },
    { text: '[]', says: 'it is not a JSON object' },
    { text: '{"charts/a/Chart.yaml": 1}', says: '`charts/a/Chart.yaml` is neither a text' },
  ]) {
    it(`are not in a file that holds something else: ${text}`, async () => {
      const chart = await chartIn({ 'roles/web.yaml': ROLE, 'roles/web.charts.json': text }, 'charts/a')
      const [diagnostic] = (await readProjectFiles(folder.options)).diagnostics
      expect(chart).to.equal(undefined)
      expect(diagnostic?.file).to.equal(folder.path('roles/web.charts.json'))
      expect(diagnostic?.message).to.include(says)
    })
  }

  const leftOut: { name: string; path: string; code: string; spoil(): Promise<unknown> }[] = [
    {
      name: 'a link that leads nowhere',
      path: 'roles/web/charts/a/templates/b.yaml',
      code: 'RB1301',
      spoil: () => folder.link('roles/web/charts/a/templates/b.yaml', '/nowhere/b.yaml'),
    },
    {
      name: 'a link that leads out of the role',
      path: 'roles/web/charts/a/templates/b.yaml',
      code: 'RB1304',
      spoil: () => folder.link('roles/web/charts/a/templates/b.yaml', folder.path('outside/Chart.yaml')),
    },
    {
      name: 'a folder that is a link out of the role',
      path: 'roles/web/charts/b',
      code: 'RB1304',
      spoil: () => folder.link('roles/web/charts/b', folder.path('outside')),
    },
    {
      name: 'links that go round in circles',
      path: 'roles/web/charts/a/x',
      code: 'RB1302',
      spoil: () => folder.link('roles/web/charts/a/x', folder.path('roles/web/charts/a/x')),
    },
    {
      name: 'a link that leads back to a folder around it',
      path: 'roles/web/charts/a/templates/x',
      code: 'RB1302',
      spoil: () => folder.link('roles/web/charts/a/templates/x', folder.path('roles/web/charts/a')),
    },
    {
      name: 'a pipe',
      path: 'roles/web/charts/a/pipe',
      code: 'RB1302',
      spoil: () => promisify(execFile)('mkfifo', [folder.path('roles/web/charts/a/pipe')]),
    },
    {
      name: 'a folder far down',
      path: `roles/web/charts${'/x'.repeat(21)}`,
      code: 'RB1305',
      spoil: () => folder.write(`roles/web/charts${'/x'.repeat(22)}/Chart.yaml`, CHART),
    },
    {
      name: 'a link `charts` that leads nowhere',
      path: 'roles/web/charts',
      code: 'RB1301',
      async spoil() {
        await folder.remove('roles/web/charts')
        await folder.link('roles/web/charts', '/nowhere')
      },
    },
  ]
  for (const { name, path, code, spoil } of leftOut) {
    it(`are refused with an entry that cannot be read, which would remove what it made: ${name}`, async () => {
      folder = await ProjectFolder.create({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        'outside/Chart.yaml': CHART,
        ...within('roles/web/charts/a'),
      })
      expect((await readProjectFiles(folder.options)).diagnostics).to.deep.equal([])
      await spoil()
      const { diagnostics } = await readProjectFiles(folder.options)
      const found = diagnostics.map(({ severity, file, code: one }) => ({ severity, file, code: one }))
      expect(found).to.deep.equal([{ severity: 'error', file: folder.path(path), code }])
    })
  }

  it('are refused with more files and folders than are read, which is said once', async () => {
    folder = await ProjectFolder.create(within('roles/web/charts/a'))
    const role = folder.path('roles/web')
    const all = await readCharts(role, role)
    const entries = all.files.size + all.directories.length
    expect((await readCharts(role, role, entries)).diagnostics).to.deep.equal([])
    const { diagnostics } = await readCharts(role, role, entries - 2)
    expect(diagnostics.map(({ severity, code }) => ({ severity, code }))).to.deep.equal([
      { severity: 'error', code: 'RB1305' },
    ])
  })

  it('are refused when they stand in the folder of the role and in a file beside it: one of the two would be left out', async () => {
    const files = within('roles/web/charts/a')
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE, ...files })
    await folder.write('roles/web.charts.json', '{"charts/a/Chart.yaml": "name: a"}')
    const { diagnostics } = await readProjectFiles(folder.options)
    const found = diagnostics.map(({ severity, file, code }) => ({ severity, file, code }))
    expect(found).to.deep.equal([{ severity: 'error', file: folder.path('roles/web.charts.json'), code: 'RB1312' }])
  })

  it('are read without what Helm ignores: hidden files of templates, where editors keep their locks', async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/web/role.yaml': ROLE,
      ...within('roles/web/charts/a'),
    })
    await folder.link('roles/web/charts/a/templates/.#a.tpl', 'somebody@somewhere.1')
    const read = await readProjectFiles(folder.options)
    expect(read.diagnostics).to.deep.equal([])
    const found = filesOfRole('web', read, folder.path('roles')).chart?.('charts/a')?.chart
    expect(contentOf(found)).to.deep.equal(expected)
  })

  for (const hidden of ['templates/sub/.c.tpl', 'charts/b/templates/.c.tpl']) {
    it(`are read with what is hidden and Helm renders all the same: ${hidden}`, async () => {
      folder = await ProjectFolder.create({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        ...within('roles/web/charts/a'),
        [`roles/web/charts/a/${hidden}`]: 'c',
      })
      const read = await readProjectFiles(folder.options)
      const found = filesOfRole('web', read, folder.path('roles')).chart?.('charts/a')?.chart
      expect(contentOf(found)).to.have.property(hidden, 'c')
    })
  }

  it('are read where a link leads to another file of the role', async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': WATCHES,
      'roles/web/role.yaml': ROLE,
      ...within('roles/web/charts/a'),
    })
    await folder.link('roles/web/charts/a/templates/b.tpl', 'a.tpl')
    const read = await readProjectFiles(folder.options)
    expect(read.diagnostics).to.deep.equal([])
    const found = filesOfRole('web', read, folder.path('roles')).chart?.('charts/a')?.chart
    expect(contentOf(found)).to.have.property('templates/b.tpl', 'a')
  })

  it('are not in a file beside it that cannot be read', async () => {
    const files = { 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/web.charts.json': IMAGE }
    folder = await ProjectFolder.create(files)
    const { diagnostics } = await readProjectFiles(folder.options)
    const found = diagnostics.map(({ severity, file, code }) => ({ severity, file, code }))
    expect(found).to.deep.equal([{ severity: 'error', file: folder.path('roles/web.charts.json'), code: 'RB1303' }])
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
