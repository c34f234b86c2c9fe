import { expect } from 'chai'
import type { CompletionItem } from 'vscode-languageserver-protocol'
import { ProjectFolder } from '../../support/project-folder.ts'
import { atMark, LanguageClient } from './language-client.ts'
import { ROLE, typed, WEB_PROJECT } from './web-project.ts'

interface Case {
  readonly name: string
  readonly file?: string
  /** With `¦` at the cursor. */
  readonly text: string
  readonly has: readonly string[]
  readonly hasNot?: readonly string[]
  /** Texts that some suggestions bring. */
  readonly inserts?: readonly string[]
}

const CRD = 'roles/web/crd.yaml'
const ADDED = 'tasks:\n'
const LAST = '  - name: Report\n'
const task = (text: string): string => typed(ROLE, LAST, `${text}\n${LAST}`)
const inExpression = (text: string): string => typed(ROLE, '${spec.replicas}', text)
const manifest = (text: string): string =>
  task(
    `  - name: New\n    ensure:\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: { name: x }\n${text}`,
  )

const CASES: readonly Case[] = [
  { name: 'kinds of tasks and modifiers', text: task('  - ¦'), has: ['ensure', 'status', 'name', 'when', 'loop'] },
  { name: 'the rest of a word', text: task('  - name: New\n    ens¦'), has: ['ensure'], hasNot: ['name'] },
  {
    name: 'no second kind, and the modifiers that the kind takes',
    text: task('  - name: New\n    fail: { message: no }\n    ¦'),
    has: ['when', 'after'],
    hasNot: ['ensure', 'register', 'adopt'],
  },
  { name: 'the keys of a kind', text: task('  - name: New\n    event:\n      ¦'), has: ['type', 'reason', 'message'] },
  { name: 'what a key of a role allows', text: typed(ROLE, ADDED, `order: ¦\n${ADDED}`), has: ['data', 'sequential'] },
  { name: 'what a modifier allows', text: task('  - ensure: {}\n    drift: ¦'), has: ['enforce', 'once'] },
  { name: 'true and false', text: task('  - ensure: {}\n    retain: ¦'), has: ['true', 'false'] },
  {
    name: 'names of earlier tasks',
    text: typed(ROLE, 'after: [Greeting]', 'after: [¦]'),
    has: ['Greeting', 'Deployment'],
    hasNot: ['Report'],
  },
  {
    name: 'names of earlier tasks as items',
    text: typed(ROLE, 'after: [Greeting]', 'after:\n      - ¦'),
    has: ['Greeting', 'task', 'optional'],
  },
  {
    name: 'names of earlier tasks, of which one has none',
    text: typed(ROLE, '  - name: Names\n    set:', '  - set:').replace('after: [Greeting]', 'after: [¦]'),
    has: ['Deployment', 'Greeting'],
    hasNot: ['Report', 'set'],
  },
  {
    name: 'no names of tasks whose key stands above already, with nothing',
    text: 'tasks:\ntasks:\n  - name: One\n    fail: { message: x }\n  - fail: { message: x }\n    after: [¦]\n',
    has: [],
    hasNot: ['One'],
  },
  {
    name: 'nothing in an expression of tasks whose key stands above already, with nothing',
    text: 'tasks:\ntasks:\n  - fail: { message: "${¦}" }\n',
    has: [],
    hasNot: ['spec', '$sum'],
  },
  { name: 'the one value that is no text', text: task('  - ensure: {}\n    readyWhen: ¦'), has: ['true'] },
  {
    name: 'files of tasks',
    text: typed(ROLE, 'tasks: tasks/settings.yaml', 'tasks: ¦'),
    has: ['tasks/settings.yaml'],
    hasNot: ['files/motd.txt'],
  },
  {
    name: 'keys of a role',
    text: typed(ROLE, ADDED, `¦\n${ADDED}`),
    has: ['order', 'finalize'],
    hasNot: ['vars', 'tasks'],
  },
  { name: 'group versions', text: task('  - ensure:\n      apiVersion: ¦'), has: ['v1', 'apps/v1', 'example.com/v1'] },
  {
    name: 'kinds of a group version',
    text: task('  - ensure:\n      apiVersion: apps/v1\n      kind: ¦'),
    has: ['Deployment', 'StatefulSet'],
    hasNot: ['Pod'],
  },
  {
    name: 'group versions of a kind',
    text: task('  - ensure:\n      kind: Ingress\n      apiVersion: ¦'),
    has: ['networking.k8s.io/v1'],
    hasNot: ['v1'],
  },
  { name: 'fields of a manifest', text: manifest('      spec:\n        ¦'), has: ['replicas', 'selector', 'template'] },
  {
    name: 'no field twice',
    text: manifest('      spec:\n        replicas: 1\n        ¦'),
    has: ['selector'],
    hasNot: ['replicas'],
  },
  {
    name: 'fields of an item',
    text: manifest('      spec:\n        template:\n          spec:\n            containers:\n              - ¦'),
    has: ['image', 'name', 'ports'],
  },
  { name: 'fields in braces', text: manifest('      spec: { ¦ }'), has: ['replicas'] },
  { name: 'fields in braces that are open', text: manifest('      spec: { re¦'), has: ['replicas'] },
  {
    name: 'fields in braces that are open, before a comment that closes them',
    text: manifest('      spec: { re¦ # no }'),
    has: ['replicas'],
  },
  {
    name: 'allowed values of a manifest',
    text: manifest('      spec:\n        strategy:\n          type: ¦'),
    has: ['Recreate', 'RollingUpdate'],
  },
  {
    name: 'sets of characters of a generated key',
    text: task('  - ensure: { apiVersion: v1, kind: Secret }\n    generate:\n      password:\n        charset: ¦'),
    has: ['alphanumeric', 'hex', 'base64url'],
  },
  { name: 'types of an event', text: task('  - event:\n      type: ¦'), has: ['Normal', 'Warning'] },
  {
    name: 'operators of a selector',
    text: task('  - list:\n      selector:\n        matchExpressions:\n          - operator: ¦'),
    has: ['In', 'DoesNotExist'],
  },
  {
    name: 'values of a manifest that its description names',
    text: task(
      '  - ensure:\n      apiVersion: apps/v1\n      kind: StatefulSet\n      spec:\n        persistentVolumeClaimRetentionPolicy:\n          whenDeleted: ¦',
    ),
    has: ['Retain', 'Delete'],
  },
  {
    name: 'values of a manifest that its description lists',
    text: manifest('      spec:\n        selector:\n          matchExpressions:\n            - operator: ¦'),
    has: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  },
  {
    name: 'values in quotes where they would be read as something else',
    text: manifest('      status:\n        conditions:\n          - status: ¦'),
    has: ['True', 'Unknown'],
    inserts: ['"True"', 'Unknown'],
  },
  {
    name: 'values as they are within quotes',
    text: manifest('      status:\n        conditions:\n          - status: "¦"'),
    has: ['True'],
    inserts: ['True'],
  },
  {
    name: 'fields of a custom resource',
    text: task('  - ensure:\n      apiVersion: example.com/v1\n      kind: Web\n      spec:\n        ¦'),
    has: ['replicas', 'size'],
  },
  {
    name: 'allowed values of a custom resource',
    text: task('  - ensure:\n      apiVersion: example.com/v1\n      kind: Web\n      spec:\n        size: ¦'),
    has: ['small', 'large'],
  },
  {
    name: 'fields of the status',
    text: typed(ROLE, '      ready: ${', '      ¦\n      ready: ${'),
    has: ['url'],
    hasNot: ['ready'],
  },
  {
    name: 'fields of a manifest to patch',
    text: task('  - patch:\n      apiVersion: v1\n      kind: Service\n      spec:\n        ¦'),
    has: ['ports', 'selector'],
  },
  {
    name: 'fields of the resource',
    text: inExpression('${¦}'),
    has: ['spec', 'metadata', '$labels', '$dnsName', '$sum'],
    hasNot: ['status'],
  },
  {
    name: 'fields of its spec',
    text: inExpression('${spec.¦}'),
    has: ['replicas', 'image', 'ports'],
    hasNot: ['spec', '$labels'],
  },
  { name: 'fields in an expression that is open', text: inExpression('${spec.¦'), has: ['replicas'] },
  { name: 'fields in a quoted expression that is open', text: inExpression('"${spec.¦'), has: ['replicas'] },
  { name: 'fields in a call', text: inExpression('${$max(spec.ports.¦'), has: ['port', 'name'] },
  { name: 'fields in a filter', text: inExpression('${spec.ports[na¦ = "http"].port}'), has: ['name', 'port'] },
  { name: 'fields in an object', text: inExpression('\'${spec.ports.{"n": ¦'), has: ['name', 'port'] },
  { name: 'fields behind an operator', text: inExpression('${spec.replicas > 1 and spec.¦'), has: ['size'] },
  { name: 'fields in a broken expression', text: inExpression('${spec.replicas + + spec.¦}'), has: ['size'] },
  {
    name: 'fields behind a map that is closed',
    text: inExpression('\'${spec.ports.{"n": name}.n & spec.¦'),
    has: ['size'],
  },
  { name: 'fields behind what is no expression', text: inExpression("'$${spec} ${spec.¦'"), has: ['size'] },
  {
    name: 'nothing in what is no expression',
    text: inExpression("'$${spec.¦'"),
    has: [],
    hasNot: ['size', 'spec', '$sum'],
  },
  { name: 'nothing behind a number', text: inExpression('${spec.replicas.¦}'), has: [], hasNot: ['size', '$sum'] },
  {
    name: 'fields in a key',
    text: typed(ROLE, 'data: { motd:', 'data: { "${metadata.¦}": a, motd:'),
    has: ['name', 'labels'],
  },
  {
    name: 'fields within text',
    text: typed(ROLE, '"${metadata.name}-motd"', '"a-${metadata.¦}-b"'),
    has: ['name', 'labels', 'uid'],
  },
  {
    name: 'variables',
    text: inExpression('${$¦}'),
    has: ['$tier', '$label', '$labels', '$watch', '$sha256'],
    hasNot: ['$deployment', 'spec'],
  },
  { name: 'variables that are registered', text: task('  - fail: { message: "${$¦}" }'), has: ['$deployment'] },
  {
    name: 'fields of what is registered',
    text: typed(ROLE, 'readyReplicas ?? 0', '¦'),
    has: ['readyReplicas', 'conditions'],
  },
  {
    name: 'the item of a loop',
    text: task('  - loop: ${spec.ports}\n    fail: { message: "${$item.¦}" }'),
    has: ['name', 'port'],
  },
  { name: 'the item of a loop by its name', text: typed(ROLE, '${$port.name}', '${$port.¦}'), has: ['name', 'port'] },
  {
    name: 'variables of a task that is not finished',
    text: task('  - name: New\n    ensure:\n      metadata:\n        name: ${$¦'),
    has: ['$deployment', '$labels'],
  },
  {
    name: 'the object itself',
    text: typed(ROLE, '    register: deployment', '    readyWhen: ${$self.status.¦}'),
    has: ['readyReplicas'],
  },
  { name: 'texts of the role', text: typed(ROLE, '$template("motd.txt")', '$template("¦'), has: ['motd.txt'] },
  {
    name: 'keys of an entry',
    file: 'watches.yaml',
    text: `${WEB_PROJECT['watches.yaml']}  ¦`,
    has: ['selector', 'reconcilePeriod'],
    hasNot: ['role'],
  },
  { name: 'roles', file: 'watches.yaml', text: typed('watches.yaml', 'role: web', 'role: ¦'), has: ['web'] },
  {
    name: 'groups of CRDs',
    file: 'watches.yaml',
    text: typed('watches.yaml', 'group: example.com', 'group: ¦'),
    has: ['example.com'],
    hasNot: ['apps', 'Web'],
  },
  {
    name: 'versions of the kind of an entry',
    file: 'watches.yaml',
    text: typed('watches.yaml', 'version: v1', 'version: ¦'),
    has: ['v1'],
    hasNot: ['example.com/v1', 'Web'],
  },
  {
    name: 'no versions of a kind that is not known',
    file: 'watches.yaml',
    text: typed('watches.yaml', 'version: v1', 'version: ¦').replace('kind: Web', 'kind: Wob'),
    has: [],
    hasNot: ['v1'],
  },
  {
    name: 'no kinds as another value of an entry',
    file: 'watches.yaml',
    text: `${WEB_PROJECT['watches.yaml']}  deletion: ¦`,
    has: ['foreground', 'background'],
    hasNot: ['v1', 'Web', 'web'],
  },
  { name: 'kinds of CRDs', file: 'watches.yaml', text: typed('watches.yaml', 'kind: Web', 'kind: ¦'), has: ['Web'] },
  {
    name: 'what a file of tasks sees',
    file: 'roles/web/tasks/settings.yaml',
    text: typed('roles/web/tasks/settings.yaml', '${$given}', '${$¦}'),
    has: ['$given', '$tier'],
    hasNot: ['$deployment'],
  },
  {
    name: 'tasks of a file of tasks',
    file: 'roles/web/tasks/settings.yaml',
    text: `${WEB_PROJECT['roles/web/tasks/settings.yaml']}- ¦`,
    has: ['ensure'],
  },
  {
    name: 'other files of tasks than the one that is open',
    file: 'roles/web/tasks/settings.yaml',
    text: `${WEB_PROJECT['roles/web/tasks/settings.yaml']}- include: { tasks: ¦ }\n`,
    has: [],
    hasNot: ['tasks/settings.yaml', 'files/motd.txt'],
  },
  {
    name: 'nothing in plain text',
    file: 'roles/web/files/motd.txt',
    text: 'Hello $¦',
    has: [],
    hasNot: ['$tier', 'spec'],
  },
  {
    name: 'nothing in an expression where none can stand',
    file: 'roles/web/samples/web.yaml',
    text: typed('roles/web/samples/web.yaml', 'size: small', 'size: "${spec.¦}"'),
    has: [],
    hasNot: ['size', 'replicas'],
  },
  { name: 'what a text sees', file: 'roles/web/files/motd.txt', text: 'Hello ${$¦', has: ['$tier', '$deployment'] },
  { name: 'fields in a text', file: 'roles/web/files/motd.txt', text: 'Hello ${spec.¦ and more', has: ['size'] },
  {
    name: 'fields of a sample',
    file: 'roles/web/samples/web.yaml',
    text: `${WEB_PROJECT['roles/web/samples/web.yaml']}  ¦`,
    has: ['image'],
    hasNot: ['replicas'],
  },
  {
    name: 'fields of a CRD',
    file: 'roles/web/crd.yaml',
    text: `${WEB_PROJECT['roles/web/crd.yaml']}  ¦`,
    has: ['conversion'],
    hasNot: ['group'],
  },
  {
    name: 'types of a schema',
    file: CRD,
    text: typed(CRD, 'image: { type: string,', 'image: { type: ¦,'),
    has: ['string', 'integer', 'boolean', 'array', 'object', 'number'],
    hasNot: ['RollingUpdate'],
  },
  {
    name: 'kinds of lists of a schema',
    file: CRD,
    text: typed(
      CRD,
      '                  type: array\n',
      '                  type: array\n                  x-kubernetes-list-type: ¦\n',
    ),
    has: ['atomic', 'set', 'map'],
  },
  {
    name: 'formats of a schema',
    file: CRD,
    text: typed(CRD, '{ type: string, description: Where it answers. }', '{ type: string, format: ¦ }'),
    has: ['uri', 'email', 'ipv4'],
  },
  {
    name: 'scopes of a CRD',
    file: CRD,
    text: typed(CRD, 'scope: Namespaced', 'scope: ¦'),
    has: ['Namespaced', 'Cluster'],
  },
  {
    name: 'types of printer columns',
    file: CRD,
    text: typed(CRD, '      subresources:', '      additionalPrinterColumns:\n        - type: ¦\n      subresources:'),
    has: ['string', 'date'],
  },
  {
    name: 'operators of the selector of an entry',
    file: 'watches.yaml',
    text: `${WEB_PROJECT['watches.yaml']}  selector:\n    matchExpressions:\n      - operator: ¦`,
    has: ['In', 'NotIn'],
  },
  {
    name: 'kinds in a test',
    file: 'roles/web/tests/life.yaml',
    text: 'given: [../samples/web.yaml]\nsteps:\n  - expect:\n      - kind: ¦',
    has: ['Web', 'Deployment'],
  },
  {
    name: 'verbs of requests that fail in a test',
    file: 'roles/web/tests/life.yaml',
    text: 'given: [../samples/web.yaml]\nsteps:\n  - fail:\n      verb: ¦',
    has: ['create', 'patch'],
  },
  {
    name: 'nothing in a text of an expression',
    text: inExpression('${spec.replicas = "Runn¦"}'),
    has: [],
    hasNot: ['spec', 'metadata', '$string'],
  },
  { name: 'nothing in a comment', text: typed(ROLE, 'tasks:\n', '# ¦\ntasks:\n'), has: [], hasNot: ['ensure', 'vars'] },
]

describe('completion', function () {
  this.timeout(120_000)
  let project: ProjectFolder
  let client: LanguageClient
  before(async () => {
    project = await ProjectFolder.create(WEB_PROJECT)
    client = new LanguageClient()
    await client.start()
  })
  after(async () => {
    expect(await client.stop(), client.stderr).to.equal(0)
    await project.delete()
  })

  for (const { name, file = ROLE, text: marked, has, hasNot = [], inserts = [] } of CASES) {
    it(`offers ${name}`, async () => {
      const { text, position } = atMark(marked)
      await client.show(project.path(file), text)
      const items = await client.ask<CompletionItem[]>('textDocument/completion', project.path(file), { position })
      await client.close(project.path(file))
      const labels = items.map(({ label }) => label)
      expect(labels).to.include.members([...has])
      expect(items.map(({ textEdit }) => textEdit?.newText)).to.include.members([...inserts])
      for (const label of hasNot) expect(labels).not.to.include(label)
    })
  }
})
