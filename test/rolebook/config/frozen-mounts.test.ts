import { expect } from 'chai'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { ProjectFolder, ROLE, WATCHES } from '../../support/project-folder.ts'

const line = (root: string, point: string): string =>
  `36 35 98:0 ${root} ${point.replaceAll(' ', '\\040')} rw,noatime master:1 - ext4 /dev/root rw,errors=continue\n`
const SNAPSHOT = '/var/lib/kubelet/pods/u/volumes/kubernetes.io~configmap/roles/..2026_11_21_12_00_00.123'
const VOLUME = '/var/lib/kubelet/pods/u/volumes/kubernetes.io~configmap/roles'

describe('mounts that never change', () => {
  const cases: readonly {
    readonly name: string
    /** From the folder of the project to what is mounted, and its root. */
    readonly mounts: readonly (readonly [path: string, root: string])[]
    readonly refused: readonly string[]
  }[] = [
    { name: 'no mount at all', mounts: [], refused: [] },
    {
      name: 'a folder that is mounted whole',
      mounts: [
        ['', VOLUME],
        ['roles', VOLUME],
      ],
      refused: [],
    },
    { name: 'another file', mounts: [['token', '/x']], refused: [] },
    {
      name: 'watches.yaml by subPath',
      mounts: [['watches.yaml', `${SNAPSHOT}/watches.yaml`]],
      refused: ['watches.yaml'],
    },
    { name: 'a role by subPath', mounts: [['roles/web/role.yaml', '/any']], refused: ['roles/web/role.yaml'] },
    { name: 'the folder of a role by subPath', mounts: [['roles', `${SNAPSHOT}/web`]], refused: ['roles'] },
    {
      name: 'several at once',
      mounts: [
        ['roles/web/role.yaml', '/any'],
        ['watches.yaml', '/any'],
      ],
      refused: ['roles/web/role.yaml', 'watches.yaml'],
    },
  ]
  for (const { name, mounts, refused } of cases) {
    it(`${refused.length > 0 ? 'refuses' : 'takes'} ${name}`, async () => {
      const folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE })
      try {
        const table = mounts.map(([path, root]) => line(root, folder.path(path)))
        await folder.write('mounts', `not a mount\n${table.join('')}`)
        const result = await loadProject({ ...folder.options, mountTable: folder.path('mounts') })
        const found = result.diagnostics.map(({ code, file, hint }) => [code, file, hint?.includes('subPath')])
        expect(found).to.deep.equal(refused.map((path) => ['RB1319', folder.path(path), true]))
        expect(result.project === undefined).to.equal(refused.length > 0)
      } finally {
        await folder.delete()
      }
    })
  }

  it('are not known where the system has no table of them', async () => {
    const folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE })
    try {
      const { project } = await loadProject({ ...folder.options, mountTable: folder.path('none') })
      expect(project).to.not.equal(undefined)
    } finally {
      await folder.delete()
    }
  })
})
