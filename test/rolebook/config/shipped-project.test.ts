import { join } from 'node:path'
import { expect } from 'chai'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { long } from '../../support/long-tests.ts'

const root = join(import.meta.dirname, '../../..')

describe('the project in this repository', () => {
  long.it('is in order, with a CRD and samples for every role', async () => {
    const options = {
      watchesFile: join(root, 'watches.yaml'),
      rolesPath: join(root, 'roles'),
      kinds: builtinTaskKinds,
      environment: {},
      // No false alarm: neither an error nor a warning.
      schemas: { builtin: loadBuiltinSchemas() },
    }
    const { project, diagnostics } = await loadProject(options)
    expect(diagnostics).to.deep.equal([])
    expect(project?.watches.map(({ watch }) => `${watch.gvk.kind}.${watch.gvk.group}`)).to.include.members([
      'MaintPage.maintpage.example.com',
      'AppService.app.example.com',
      'WebService.app.example.com',
      'Memcached.cache.example.com',
      'Memcached.cache.my.domain',
    ])
    expect(project?.crds.length).to.equal(project?.watches.length)
    expect(project?.samples.length).to.be.at.least(project?.watches.length ?? 0)
  })
})
