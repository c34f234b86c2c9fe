import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import { parseYaml } from '../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import type { Command } from '../../src/rolebook/cli/command.ts'
import { proveCommand } from '../../src/rolebook/cli/commands/prove.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../src/rolebook/cli/parse-command-line.ts'
import { projectFolders } from '../proven-roles/project-folders.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { webCrd } from '../support/tried-role.ts'

const MAP = 'apiVersion: v1, kind: ConfigMap'

interface BadRole {
  readonly name: string
  readonly reason: string
  /** What its tasks are, in YAML. */
  readonly tasks: string
  /** The property that it breaks. */
  readonly property: string
  /** Steps of the role test at most. */
  readonly steps: number
}

const BAD_ROLES: readonly BadRole[] = [
  {
    name: 'a role that counts its runs',
    reason: 'what it writes hangs on what it wrote last time',
    tasks: `
  - get: {${MAP}, name: runs, optional: true}
    register: before
  - ensure: {${MAP}, metadata: {name: runs}, data: {count: "\${$string($number($before.data.count ?? '0') + 1)}"}}`,
    property: 'a second run changes nothing',
    steps: 2,
  },
  {
    name: 'a role that waits for what never comes',
    reason: 'a resource that is never ready has not converged',
    tasks: `
  - get: {${MAP}, name: never-made, optional: true}
    register: other
  - wait: {for: "\${$exists($other)}", message: there is no map}`,
    property: 'it converges',
    steps: 2,
  },
  {
    name: 'a role that takes too few of the values that its CRD allows',
    reason: 'a server refuses what it makes of some of them',
    tasks: `
  - ensure:
      apiVersion: v1
      kind: Service
      metadata: {name: "\${metadata.name}"}
      spec: {ports: [{port: "\${spec.size * 30000}"}]}`,
    property: 'it converges',
    steps: 2,
  },
  {
    name: 'a role whose objects cannot go',
    reason: 'a finalizer that no controller knows holds them',
    tasks: `
  - ensure: {${MAP}, metadata: {name: "\${metadata.name}", finalizers: [example.com/forgotten]}}`,
    property: 'what it made goes with it',
    steps: 2,
  },
  {
    name: 'a role that shows a secret',
    reason: 'no check knows that a value is a secret when it is read back from a Pod and changed',
    tasks: `
  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: "\${metadata.name}"}}
    generate: {password: {length: 24}}
    register: account
  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: web, env: [{name: P, value: "\${$base64decode($account.data.password)}"}]}]}
  - list: {apiVersion: v1, kind: Pod, labels: {app: web}}
    register: pods
  - status: {phase: "\${$uppercase($pods[0].spec.containers[0].env[0].value)}"}`,
    property: 'no secret is shown',
    steps: 2,
  },
  {
    name: 'a role that keeps what another hand has changed',
    reason: 'what it writes is what it finds',
    tasks: `
  - get: {${MAP}, name: "\${metadata.name}", optional: true}
    register: before
  - ensure: {${MAP}, metadata: {name: "\${metadata.name}"}, data: {mode: "\${$before.data.mode ?? 'good'}"}}`,
    property: 'disturbances leave no trace',
    steps: 3,
  },
  {
    name: 'a role that copies what changes by itself',
    reason: 'a CronJob notes each time at which it has run',
    tasks: `
  - ensure:
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: "\${metadata.name}"}
      spec:
        schedule: "*/10 * * * *"
        jobTemplate:
          spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}
    register: cron
  - ensure: {${MAP}, metadata: {name: "\${metadata.name}"}, data: {last: "\${$cron.status.lastScheduleTime ?? 'never'}"}}`,
    property: 'nothing is written at rest',
    steps: 2,
  },
  {
    name: 'a role whose assert a disturbance breaks',
    reason: 'it asks for what another hand may change',
    tasks: `
  - get: {${MAP}, name: "\${metadata.name}", optional: true}
    register: before
  - assert:
      that: ["\${($before.data.mode ?? 'good') = 'good'}"]
      message: the mode was changed
  - ensure: {${MAP}, metadata: {name: "\${metadata.name}"}, data: {mode: good}}`,
    property: 'its asserts hold',
    steps: 3,
  },
]

/** The exit code of a command on a project, and what it has printed. */
async function run(
  command: Command,
  { folder, args = [] }: { readonly folder: string; readonly args?: readonly string[] },
): Promise<FakeTerminal & { code: number }> {
  const terminal = new FakeTerminal()
  const places = ['--watches-file', join(folder, 'watches.yaml'), '--roles-path', join(folder, 'roles')]
  const parsed = parseCommandLine([command.name, ...places, ...args], { commands: [command], terminal })
  if (!('command' in parsed)) throw new Error(terminal.stderr)
  return Object.assign(terminal, { code: await parsed.command.run(parsed.invocation) })
}

describe('rolebook prove', function () {
  this.timeout(300_000)

  for (const folder of projectFolders()) {
    it(`finds nothing in the roles of ${basename(folder)}`, async () => {
      const { code, stdout, stderr } = await run(proveCommand, { folder, args: ['--cases', '5'] })
      expect(code, stdout + stderr).to.equal(0)
    })
  }

  for (const { name, reason, tasks, property, steps } of BAD_ROLES) {
    describe(name, () => {
      const folder = temporaryFolder()
      after(() => folder.remove())

      it('is found out by a small role test, which fails by itself', async () => {
        writeFiles(folder.path, {
          'watches.yaml': '- {group: example.com, version: v1, kind: Web, role: web}\n',
          'roles/web/role.yaml': `tasks:${tasks}\n`,
          'roles/web/crd.yaml': webCrd().replace('{type: string, enum: [Up, Down]}', '{type: string}'),
        })
        const { code, stdout, stderr } = await run(proveCommand, { folder: folder.path, args: ['--cases', '40'] })
        expect(code, `${reason}: ${stdout}${stderr}`).to.equal(1)
        expect(stdout).to.include(`it does not hold that ${property}`)
        const path = folder.at('roles/web/tests/counterexample-1.yaml')
        const [document] = parseYaml(new SourceFile(path, readFileSync(path, 'utf8'))).documents
        const test = document?.value as { readonly steps: readonly JsonObject[] }
        expect(test.steps.length, readFileSync(path, 'utf8')).to.be.at.most(steps)
        const tested = await run(testCommand, { folder: folder.path })
        expect(tested.code, tested.stdout).to.equal(1)
      })
    })
  }
})
