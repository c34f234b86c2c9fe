export interface WrongManifest {
  readonly name: string
  readonly code: string
  /** The tasks of a role, with `«` before the place that is meant. */
  readonly tasks: string
  readonly fix?: string
}

const DEPLOYMENT = 'ensure:\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: web}\n'
const HEAD = `  - ${DEPLOYMENT}      spec:\n`
const SELECTOR = '        selector: {matchLabels: {app: web}}\n'
const POD = '        template:\n          metadata: {labels: {app: web}}\n'
const CONTAINER = '          spec:\n            containers:\n              - name: web\n'
const FULL = `${HEAD}${SELECTOR}${POD}${CONTAINER}`
const CONFIG = '  - ensure:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: web}\n'
const PODS = '  - list: {apiVersion: v1, kind: Pod}\n    register: pods\n'
const GET = '  - get: {apiVersion: apps/v1, kind: Deployment, name: web}\n    register: web\n'

const podsWith = (metadata: string): string =>
  `${HEAD}        selector: {}\n        template:\n          metadata: {${metadata}}\n${CONTAINER}`
const selecting = (labels: string): string =>
  `  - ensure: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}], selector: {${labels}}}}\n`

/** Tasks that are wrong, by what is wrong with them. */
const pod = (field: string): string =>
  `  - ensure: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: b, ${field}}]}}\n`

export const WRONG_MANIFESTS: readonly WrongManifest[] = [
  {
    name: 'a path that a newer server may have',
    code: 'RB1220',
    tasks: `${GET}  - status: {ready: "\${$web.status.«somethingNew}"}\n`,
    fix: 'there are',
  },
  {
    name: 'a time to wait that is not a text',
    code: 'RB1221',
    tasks: `${CONFIG}    waitReady: true\n    timeout: \${«spec.size}\n`,
    fix: '$string',
  },
  {
    name: 'a key of the task below the manifest',
    code: 'RB1130',
    tasks: `${CONFIG}      «register: config\n`,
    fix: 'beside `ensure`',
  },
  {
    name: 'a key of the task below what is read',
    code: 'RB1020',
    tasks: '  - get: {apiVersion: v1, kind: ConfigMap, name: web, «register: config}\n',
    fix: 'beside `get`',
  },
  {
    name: 'variables as a map',
    code: 'RB1221',
    tasks: pod('env: «{LEVEL: 3, B: c}'),
    fix: 'each entry is an item of the list: `- {name: LEVEL, value: "3"}`',
  },
  {
    name: 'variables as a map of an expression',
    code: 'RB1221',
    tasks: pod('env: «{A: "${spec.name}"}'),
    fix: '`- {name: A, value: "${spec.name}"}`',
  },
  {
    name: 'ports as a map',
    code: 'RB1221',
    tasks: pod('ports: «{http: 80}'),
    fix: '`- {name: http, containerPort: 80}`',
  },
  {
    name: 'mounts as a map',
    code: 'RB1221',
    tasks: pod('volumeMounts: «{data: {mountPath: /data}}'),
    fix: '`- {name: data, …}`',
  },
  {
    name: 'a list of texts as a map',
    code: 'RB1221',
    tasks: pod('args: «{verbose: 1}'),
    fix: 'each item of a list begins with `- `',
  },
  {
    name: 'an item without its list',
    code: 'RB1221',
    tasks: pod('env: «{name: A, value: x}'),
    fix: 'write `${[ … ]}` for a list of one',
  },
  { name: 'no value of an enumeration', code: 'RB1221', tasks: '  - status: {phase: «Zzzzzzzz}\n' },
  { name: 'a field that no container has', code: 'RB1130', tasks: `${FULL}                «zzzzzzzz: 1\n`, fix: ', …' },
  {
    name: 'no spec of an autoscaler',
    code: 'RB1131',
    tasks: '  - «ensure: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x}}\n',
  },
  {
    name: 'conditions that are not a list',
    code: 'RB1022',
    tasks: '  - assert: {that: «"${spec.debug}", message: m}\n',
  },
  { name: 'tasks of a block that are not a list', code: 'RB1022', tasks: '  - block: {tasks: «"${spec.tags}"}\n' },
  { name: 'a kind that is not a text', code: 'RB1022', tasks: '  - list: {apiVersion: v1, kind: «1}\n' },
  { name: 'an expression that is not closed', code: 'RB1202', tasks: '  - fail: {message: "a «${ b"}\n' },
  {
    name: 'a misspelt field',
    code: 'RB1130',
    tasks: `${HEAD}        «replica: 1\n${SELECTOR}${POD}${CONTAINER}`,
    fix: 'did you mean `replicas`?',
  },
  {
    name: 'a field of a container',
    code: 'RB1130',
    tasks: `${FULL}                «imagePulPolicy: Always\n`,
    fix: '`imagePullPolicy`',
  },
  {
    name: 'a field of a container among those of its Pod',
    code: 'RB1130',
    tasks: `${FULL}            «livenessProbe: {tcpSocket: {port: 80}}\n`,
    fix: '`livenessProbe` is a field of `containers[]`',
  },
  {
    name: 'a field of a Pod among those of its container',
    code: 'RB1130',
    tasks: `${FULL}                «nodeSelector: {a: b}\n`,
    fix: '`nodeSelector` is a field of `spec.template.spec`',
  },
  {
    name: 'a field of metadata at the top',
    code: 'RB1130',
    tasks: `${CONFIG}      «labels: {a: b}\n`,
    fix: '`labels` is a field of `metadata`',
  },
  {
    name: 'a field of spec in metadata, and not of the status',
    code: 'RB1130',
    tasks: FULL.replace('metadata: {name: web', 'metadata: {«replicas: 1, name: web'),
    fix: '`replicas` is a field of `spec`',
  },
  {
    name: 'a field of what stands several levels below',
    code: 'RB1130',
    tasks: `${FULL}        «containers: []\n`,
    fix: '`containers` is a field of `template.spec`',
  },
  {
    name: 'a field of the object itself in its metadata',
    code: 'RB1130',
    tasks: CONFIG.replace('{name: web}', '{name: web, «binaryData: {a: b}}'),
    fix: '`binaryData` is a field of the object itself',
  },
  {
    name: 'a field that many places have',
    code: 'RB1130',
    tasks: `${FULL}            «fsType: a\n`,
    fix: 'there are',
  },
  {
    name: 'a field of metadata',
    code: 'RB1130',
    tasks: CONFIG.replace('{name: web}', '{name: web, «lables: {a: b}}'),
    fix: '`labels`',
  },
  {
    name: 'a field that is handed over',
    code: 'RB1130',
    tasks: `${FULL}    handOver: [spec.replicas, «spec.replica]\n`,
    fix: '`replicas`',
  },
  {
    name: 'a field that is handed over, in an item of a list',
    code: 'RB1130',
    tasks: `${FULL}    handOver: ["«spec.template.spec.containers[name=web].imag"]\n`.replace('["«', '[«"'),
    fix: '`image`',
  },
  { name: 'a field at the top', code: 'RB1130', tasks: `${CONFIG}      «dta: {a: b}\n`, fix: '`data`' },
  {
    name: 'a field that nothing is like',
    code: 'RB1130',
    tasks: `${CONFIG}      «somethingElse: 1\n`,
    fix: 'there are',
  },
  { name: 'a field of a status', code: 'RB1130', tasks: '  - status: {«raedy: 1}\n', fix: '`ready`' },
  {
    name: 'a field of a patch',
    code: 'RB1130',
    tasks: '  - patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, «dat: {a: b}}\n',
    fix: '`data`',
  },
  {
    name: 'a field of an own kind',
    code: 'RB1130',
    tasks:
      '  - ensure: {apiVersion: example.com/v1, kind: Web, metadata: {name: x}, spec: {size: 1, name: a, «hots: b}}\n',
    fix: '`host`',
  },
  {
    name: 'a key that an expression writes',
    code: 'RB1130',
    tasks: '  - status: "${«{\\"raedy\\": 1}}"\n',
    fix: '`ready`',
  },

  { name: 'no selector', code: 'RB1131', tasks: `  - ${DEPLOYMENT}      «spec:\n${POD}${CONTAINER}` },
  {
    name: 'no name of a container',
    code: 'RB1131',
    tasks: `${HEAD}${SELECTOR}${POD}          spec:\n            containers:\n              - «image: web\n`,
  },
  {
    name: 'no port of a Service',
    code: 'RB1131',
    tasks:
      '  - ensure:\n      apiVersion: v1\n      kind: Service\n      metadata: {name: web}\n      spec:\n        ports:\n          - «name: web\n',
  },
  {
    name: 'no size of an own kind',
    code: 'RB1131',
    tasks: '  - ensure: {apiVersion: example.com/v1, kind: Web, metadata: {name: x}, «spec: {name: a}}\n',
  },

  {
    name: 'a kind that is not there',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: apps/v1, kind: «Deploymnt, metadata: {name: x}}\n',
    fix: '`Deployment`',
  },
  {
    name: 'a kind of another group',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «v1, kind: Deployment, metadata: {name: x}}\n',
    fix: 'apps/v1',
  },

  {
    name: 'a kind of a group of Kubernetes that no server has',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «frobs/v1, kind: Thing, metadata: {name: x}}\n',
  },
  {
    name: 'a template of others in a key',
    code: 'RB1156',
    tasks: `${CONFIG}      data: {"«{{ spec.name }}": x}\n`,
    fix: 'write `${spec.name}`',
  },
  {
    name: 'a template of others that calls a function',
    code: 'RB1156',
    tasks:
      '  - ensure: {apiVersion: v1, kind: Service, metadata: {name: x, labels: {app: "«{{ quote .Values.app }}"}}}\n',
    fix: 'write `${…}`',
  },
  {
    name: 'a template of others that denies something',
    code: 'RB1156',
    tasks: '  - ensure: {apiVersion: v1, kind: Service, metadata: {name: x, labels: {app: "«{{ not paused }}"}}}\n',
    fix: 'write `${…}`',
  },
  {
    name: 'a literal number for true or false',
    code: 'RB1221',
    tasks: '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: x}, immutable: «1}\n',
  },
  {
    name: 'a broken path behind the slip of another language',
    code: 'RB1211',
    tasks: '  - status: {ready: "${«!spec..a}"}\n',
  },
  {
    name: 'a selector with a label that the Pods have under another name',
    code: 'RB1139',
    tasks: `${podsWith('labels: {name: "${metadata.name}"}')}${selecting('app: «"${metadata.name}"')}`,
    fix: 'the Pods have `name: ${metadata.name}`',
  },

  { name: 'a var that nothing uses', code: 'RB1133', tasks: '  - set: {«x: 1}\n', fix: '$x' },
  {
    name: 'a register that nothing uses',
    code: 'RB1133',
    tasks: `${GET.replace('register: web', 'register: «web')}`,
    fix: '$web',
  },

  {
    name: 'a task behind a fail',
    code: 'RB1134',
    tasks: '  - fail: {message: x}\n  - «status: {ready: 1}\n',
    fix: '`when`',
  },
  { name: 'a when that is false', code: 'RB1134', tasks: '  - status: {ready: 1}\n    when: «false\n' },
  {
    name: 'a when that is false as an expression',
    code: 'RB1134',
    tasks: '  - status: {ready: 1}\n    when: «${false}\n',
  },
  {
    name: 'a task behind a fail in a block',
    code: 'RB1134',
    tasks: '  - block:\n      tasks:\n        - fail: {message: x}\n        - «status: {ready: 1}\n',
  },

  {
    name: 'a ClusterRole',
    code: 'RB1135',
    tasks: '  - ensure: {apiVersion: rbac.authorization.k8s.io/v1, kind: «ClusterRole, metadata: {name: x}}\n',
    fix: 'acknowledge: [ClusterRole.rbac.authorization.k8s.io]',
  },
  {
    name: 'a CRD that is patched',
    code: 'RB1135',
    tasks:
      '  - patch: {apiVersion: apiextensions.k8s.io/v1, kind: «CustomResourceDefinition, metadata: {name: x, labels: {a: b}}}\n',
  },

  { name: 'text for a number', code: 'RB1221', tasks: '  - status: {ready: "${«spec.name}"}\n', fix: '$number' },
  { name: 'a number for text', code: 'RB1221', tasks: '  - status: {phase: "${«spec.size}"}\n', fix: '$string' },
  { name: 'text for a list', code: 'RB1221', tasks: '  - status: {nodes: "${«spec.name}"}\n', fix: '${[ … ]}' },
  { name: 'numbers for a list of texts', code: 'RB1221', tasks: '  - status: {nodes: "${«[spec.ports.port]}"}\n' },
  { name: 'literal text for a number', code: 'RB1221', tasks: '  - status: {ready: «three}\n' },
  { name: 'a literal number for text', code: 'RB1221', tasks: `${CONFIG}      data: {a: «1}\n`, fix: 'write "1"' },
  {
    name: 'a literal text for a number',
    code: 'RB1221',
    tasks: '  - status: {ready: «"3"}\n',
    fix: 'without quotes: `3`',
  },
  {
    name: 'the text of a boolean for the status of a condition',
    code: 'RB1221',
    tasks: '  - status: {healthy: "${«$string(spec.size > 2)}"}\n',
    fix: '? "True" : "False"',
  },
  {
    name: 'a boolean for the status of a condition',
    code: 'RB1221',
    tasks: '  - status: {healthy: "${«spec.size > 2}"}\n',
    fix: '? "True" : "False"',
  },
  {
    name: 'true for the status of a condition',
    code: 'RB1221',
    tasks: '  - status: {healthy: «true}\n',
    fix: 'write "True"',
  },
  { name: 'a literal list for text', code: 'RB1221', tasks: '  - status: {phase: «[a]}\n' },
  { name: 'text around a number', code: 'RB1221', tasks: '  - status: {ready: «"${spec.size}x"}\n' },
  {
    name: 'a number as a label',
    code: 'RB1221',
    tasks: CONFIG.replace('{name: web}', '{name: web, labels: {a: "${«spec.size}"}}'),
    fix: '$string',
  },
  {
    name: 'a number as a name',
    code: 'RB1221',
    tasks: CONFIG.replace('{name: web}', '{name: "${«spec.size}"}'),
    fix: '$string',
  },
  { name: 'a list as a name', code: 'RB1221', tasks: '  - get: {apiVersion: v1, kind: Pod, name: "${«spec.tags}"}\n' },
  {
    name: 'a number as a label to list by',
    code: 'RB1221',
    tasks: '  - list: {apiVersion: v1, kind: Pod, labels: {a: "${«spec.size}"}}\n',
  },
  {
    name: 'text for replicas',
    code: 'RB1221',
    tasks: `${HEAD}        replicas: \${«spec.name}\n${SELECTOR}${POD}${CONTAINER}`,
    fix: '$number',
  },
  {
    name: 'an object within text',
    code: 'RB1221',
    tasks: '  - fail: {message: "a ${«spec.config}"}\n',
    fix: '$toJson',
  },
  {
    name: 'a list within a key',
    code: 'RB1221',
    tasks: `${CONFIG}      data: {"a-\${«spec.tags}": b}\n`,
    fix: '$join',
  },
  {
    name: 'a name with an expression',
    code: 'RB1111',
    tasks: '  - name: «"Ports of ${metadata.name}"\n    status: {ready: 1}\n',
    fix: 'plain text',
  },
  {
    name: 'a name with an expression within a block',
    code: 'RB1111',
    tasks: '  - block:\n      tasks:\n        - name: «x ${spec.name}\n          status: {ready: 1}\n',
  },
  { name: 'a list as a message', code: 'RB1221', tasks: '  - fail: {message: "${«spec.tags}"}\n' },
  {
    name: 'an object as the message of a wait',
    code: 'RB1221',
    tasks: '  - wait: {for: "${spec.debug}", message: "${«spec.config}"}\n',
  },
  {
    name: 'a list as the message of an assertion',
    code: 'RB1221',
    tasks: '  - assert: {that: ["${spec.debug}"], message: "${«spec.tags}"}\n',
  },
  { name: 'text for an object', code: 'RB1221', tasks: `${FULL}                resources: "\${«spec.name}"\n` },
  {
    name: 'an object for a list',
    code: 'RB1221',
    tasks: `${FULL}                env: "\${«spec.config}"\n`,
    fix: '${[ … ]}',
  },
  {
    name: 'a field of an object that an expression makes',
    code: 'RB1221',
    tasks: `${FULL}                ports: '\${«[spec.ports.{"containerPort": name}]}'\n`,
  },
  { name: 'a value of an enumeration', code: 'RB1221', tasks: '  - status: {phase: «Upp}\n', fix: '"Up"' },
  {
    name: 'a number where one of some texts is wanted',
    code: 'RB1221',
    tasks: '  - status: {phase: «5}\n',
    fix: 'it takes one of "Up", "Down"',
  },
  {
    name: 'a value that a kind may not have',
    code: 'RB1221',
    tasks: `${FULL}                imagePullPolicy: «Alwais\n`,
    fix: '"Always"',
  },
  { name: 'text for true or false', code: 'RB1221', tasks: `${FULL}                tty: «"yes"\n` },
  {
    name: 'a number from a registered object for text',
    code: 'RB1221',
    tasks: `${GET}  - status: {phase: "\${«$web.status.readyReplicas}"}\n`,
    fix: '$string',
  },
  {
    name: 'text from a set name for a number',
    code: 'RB1221',
    tasks: '  - set: {x: "${spec.name}"}\n  - status: {ready: "${«$x}"}\n',
  },
  {
    name: 'a loop item of a wrong type',
    code: 'RB1221',
    tasks: '  - status: {ready: "${«$item}"}\n    loop: ${spec.tags}\n',
  },
  { name: 'a status that is text', code: 'RB1221', tasks: '  - status: ${«spec.name}\n' },

  {
    name: 'a path through a list',
    code: 'RB1222',
    tasks: `${PODS}  - status: {nodes: "\${«$pods.metadata.name}"}\n`,
    fix: '${[ … ]}',
  },
  { name: 'a filter', code: 'RB1222', tasks: '  - status: {nodes: "${«spec.tags[$ != \\"a\\"]}"}\n', fix: '${[ … ]}' },
  { name: '$keys', code: 'RB1222', tasks: '  - status: {nodes: "${«$keys(spec.config)}"}\n' },
  { name: '$distinct', code: 'RB1222', tasks: '  - status: {nodes: "${«$distinct(spec.tags)}"}\n' },
  {
    name: '$filter',
    code: 'RB1222',
    tasks: '  - status: {nodes: "${«$filter(spec.tags, function($t) { $t > \\"a\\" })}"}\n',
  },
  {
    name: 'objects made of a list',
    code: 'RB1222',
    tasks: `${FULL}                ports: '\${«spec.ports.{"containerPort": port}}'\n`,
  },
  {
    name: 'a list that may collapse in a branch',
    code: 'RB1222',
    tasks: `${PODS}  - status: {nodes: "\${«spec.debug ? $pods.metadata.name : [\\"a\\"]}"}\n`,
  },
  {
    name: 'a list in an object that an expression makes',
    code: 'RB1222',
    tasks: '  - status: "${«{\\"nodes\\": spec.ports.name}}"\n',
  },

  {
    name: 'a path of a registered object',
    code: 'RB1220',
    tasks: `${GET}  - status: {ready: "\${$web.status.«redyReplicas}"}\n`,
    fix: 'readyReplicas',
  },
  {
    name: 'a path of listed objects',
    code: 'RB1220',
    tasks: `${PODS}  - status: {nodes: "\${[$pods.metadata.«nmae]}"}\n`,
    fix: 'name',
  },
  { name: 'a path of $self', code: 'RB1220', tasks: `${CONFIG}    readyWhen: \${$exists($self.«dta)}\n`, fix: 'data' },
  {
    name: 'a path of $item',
    code: 'RB1220',
    tasks: '  - status: {ready: "${$item.«prot}"}\n    loop: ${spec.ports}\n',
    fix: 'port',
  },
  {
    name: 'a path of $failure',
    code: 'RB1220',
    tasks:
      '  - block:\n      tasks: [{status: {ready: 1}}]\n      rescue: [{fail: {message: "${$failure.«massage}"}}]\n',
    fix: 'message',
  },
  { name: 'a path of a set map', code: 'RB1220', tasks: '  - set: {x: {a: 1}}\n  - status: {ready: "${$x.«b}"}\n' },
  {
    name: 'a phase that no Pod has',
    code: 'RB1223',
    tasks: `${PODS}  - status: {ready: "\${$count($pods[status.phase = «\\"Runing\\"])}"}\n`,
    fix: 'Running',
  },
  {
    name: 'an optional status beside `!=`',
    code: 'RB1226',
    tasks: `${GET}  - wait: {for: "\${«$web.status.readyReplicas != 1}", message: x}\n`,
    fix: '??',
  },
  {
    name: 'when that is text',
    code: 'RB1229',
    tasks: '  - status: {ready: 1}\n    when: ${«spec.name}\n',
    fix: '$exists',
  },
  {
    name: 'wait for a number',
    code: 'RB1229',
    tasks: `${GET}  - wait: {for: "\${«$web.status.readyReplicas}", message: x}\n`,
    fix: '$exists',
  },
  {
    name: 'assert that is a list',
    code: 'RB1229',
    tasks: '  - assert: {that: ["${«spec.tags}"], message: x}\n',
    fix: '$exists',
  },
  {
    name: 'readyWhen that is an object',
    code: 'RB1229',
    tasks: `${CONFIG}    readyWhen: \${«$self.data}\n`,
    fix: '$exists',
  },
]

/** Tasks that may well be right. */
export const RIGHT_MANIFESTS: readonly { readonly name: string; readonly tasks: string }[] = [
  {
    name: 'a selector for Pods whose labels are computed',
    tasks: `${podsWith('labels: {"${spec.name}": a}')}${selecting('app: "${metadata.name}"')}`,
  },
  {
    name: 'a selector beside Pods without labels, which may mean Pods of others',
    tasks: `${podsWith('annotations: {a: b}')}${selecting('app: "${metadata.name}"')}`,
  },
  {
    name: 'a selector with a value that no Pod of the role has, which may mean Pods of others',
    tasks: `${podsWith('labels: {name: "${metadata.name}"}')}${selecting('app: "${spec.name}"')}`,
  },
  {
    name: 'names of tasks that only look like texts with expressions',
    tasks: '  - name: about $${spec.name}\n    status: {ready: 1}\n  - name: about ${\n    status: {ready: 1}\n',
  },
  {
    name: 'fields that are handed over',
    tasks: `${FULL}    handOver: [spec.replicas, "metadata.annotations['a/b'].c", "spec.template.spec.containers[name=web].image", "\${metadata.name}"]\n`,
  },
  {
    name: 'fields that are handed over of a kind without a schema',
    tasks: '  - {ensure: {apiVersion: none.example.com/v1, kind: None, metadata: {name: x}}, handOver: [spec.x.y]}\n',
  },
  { name: 'a Deployment', tasks: FULL },
  {
    name: 'quantities as numbers and as text',
    tasks: `${FULL}                resources: {limits: {cpu: 1, memory: "\${spec.memory}"}}\n`,
  },
  {
    name: 'int-or-string',
    tasks:
      '  - ensure: {apiVersion: v1, kind: Service, metadata: {name: x}, spec: {ports: [{port: 80, targetPort: http}, {port: 81, targetPort: "${spec.port}"}]}}\n',
  },
  { name: 'a whole list', tasks: '  - status: {nodes: "${spec.tags}"}\n' },
  { name: 'a path that ends at a list', tasks: '  - status: {nodes: "${spec.ports[0].hosts}"}\n' },
  { name: 'a path through a list that ends at lists', tasks: '  - status: {nodes: "${spec.ports.hosts}"}\n' },
  { name: 'a list that is kept', tasks: '  - status: {nodes: "${spec.ports.name[]}"}\n' },
  { name: 'one item where one is wanted', tasks: '  - status: {ready: "${spec.ports[name = \\"a\\"].port}"}\n' },
  { name: 'a status of another kind as a whole', tasks: `${GET}  - status: \${$web.status}\n` },
  { name: 'computed keys', tasks: `${CONFIG}      data: {"\${spec.name}": "\${spec.host}"}\n` },
  { name: 'conditions', tasks: '  - status: {conditions: [{type: Fine, status: "True"}]}\n' },
  {
    name: 'a kind without a schema',
    tasks: '  - ensure: {apiVersion: other.example.com/v1, kind: Thing, metadata: {name: x}, anything: {goes: 1}}\n',
  },
  {
    name: 'what an unknown kind holds',
    tasks:
      '  - get: {apiVersion: other.example.com/v1, kind: Thing, name: x}\n    register: x\n  - status: {ready: "${$x.a.b.c}", nodes: "${$x.d}"}\n',
  },
  {
    name: 'a fail that is held back',
    tasks: '  - fail: {message: x}\n    when: ${spec.debug}\n  - status: {ready: 1}\n',
  },
  {
    name: 'a path that a when asks for',
    tasks: '  - status: {phase: "${spec.host & \\"x\\"}"}\n    when: ${$exists(spec.host)}\n',
  },
  {
    name: 'a path that an assert asks for',
    tasks: '  - assert: {that: ["${$exists(spec.host)}"], message: x}\n  - fail: {message: "${spec.host & \\"x\\"}"}\n',
  },
  {
    name: 'a registered loop',
    tasks: `${CONFIG.replace('web}', '"web-${$item}"}')}    loop: \${spec.tags}\n    register: all\n  - status: {nodes: "\${[$all.metadata.name]}"}\n`,
  },
  { name: 'an empty map that is set', tasks: '  - set: {x: {}}\n  - status: {ready: "${$x.a}"}\n' },
  { name: 'a value that is missing', tasks: `${CONFIG}      data: "\${spec.config}"\n` },
  {
    name: 'a partial patch',
    tasks: '  - patch: {apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {paused: true}}\n',
  },
  {
    name: 'what a field gets from an object of the same shape',
    tasks: `${GET}  - ensure: {apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: "\${$web.spec}"}\n`,
  },
  {
    name: 'what is there only now and then',
    tasks: `  - get: {apiVersion: v1, kind: ConfigMap, name: a, optional: true}\n    register: a\n  - get: {apiVersion: v1, kind: ConfigMap, name: b}\n    register: b\n    when: \${spec.debug}\n  - status: {phase: "\${$a.data.x}", nodes: ["\${$b.data.x}"]}\n`,
  },
  {
    name: 'a loop with a name of its own',
    tasks:
      '  - status: {nodes: ["${$port.port & $index}"]}\n    loop: ${spec.ports[$exists(name)]}\n    loopVar: port\n',
  },
  {
    name: 'a patch of a status',
    tasks: '  - patch: {apiVersion: v1, kind: Node, metadata: {name: x}, status: {phase: Running}}\n',
  },
  { name: 'a field without a value', tasks: `${CONFIG}      data: {a: null}\n` },
  { name: 'a name without a value', tasks: '  - set: {x: null}\n  - status: {ready: "${$x}"}\n' },
  { name: 'text of an unknown form of a value', tasks: `${FULL}                imagePullPolicy: Sometimes\n` },
  { name: 'lists in lists', tasks: '  - set: {x: [1, [2, "${spec.name}"]]}\n  - fail: {message: "${$toJson($x)}"}\n' },
  {
    name: 'embedded values of any kind',
    tasks:
      '  - ensure: {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: x}, revision: 1, data: {a: [1, b]}}\n',
  },
]
