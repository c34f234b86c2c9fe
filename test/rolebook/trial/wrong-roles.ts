export interface WrongRole {
  /** What the author did. */
  readonly name: string
  readonly code: string
  /** The tasks of a role, with `«` before the place that is meant. */
  readonly tasks: string
  /** Part of the message, or of the hint. */
  readonly says?: string | undefined
  /** Further codes that are found beside it. Defaults to none. */
  readonly also?: readonly string[] | undefined
}

export type RightRole = Pick<WrongRole, 'name' | 'tasks'>

export const config = (name: string, rest = ''): string =>
  `  - name: Config\n    ensure:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: ${name}}\n${rest}`
export const deployment = (
  container: string,
  { labels = '{app: web}', volumes = '' } = {},
): string => `  - name: Deployment
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: ${labels}}
          spec:
            ${volumes}
            containers: [{name: web, image: nginx${container}}]
`
export const service = (spec: string): string =>
  `  - name: Service\n    ensure: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: ${spec}}\n`

const headless = (name: string, app = 'web'): string =>
  `  - name: Headless ${name}\n    ensure: {apiVersion: v1, kind: Service, metadata: {name: ${name}}, spec: {clusterIP: None, selector: {app: ${app}}, ports: [{port: 80}]}}\n`
const statefulSet = (serviceName: string): string =>
  `${deployment('').replaceAll('Deployment', 'StatefulSet').replace('spec:\n', `spec:\n        serviceName: ${serviceName}\n`)}`

const TOKEN = '  - get: {apiVersion: v1, kind: Secret, name: token}\n    register: token\n'

/** Roles that every schema allows, and that can never work. */
export const WRONG_ROLES: readonly WrongRole[] = [
  // Table A5, row by row, each with its neighbours.
  {
    name: 'a name in the braces of Jinja',
    code: 'RB1156',
    tasks: config('"«{{ metadata.name }}-config"'),
    says: '`${metadata.name}`',
  },
  {
    name: 'a label in the braces of Helm',
    code: 'RB1156',
    tasks: config('web, labels: {app: "«{{ .Release.Name }}"}'),
    says: '`${metadata.name}`',
  },
  {
    name: 'a value of Helm in data',
    code: 'RB1156',
    tasks: config('web', '      data: {size: "«{{ .Values.size }}"}\n'),
    says: '`${spec.size}`',
  },
  {
    name: 'a name in the brackets of Kustomize',
    code: 'RB1156',
    tasks: config('«$(metadata.name)-config'),
    says: '`${metadata.name}`',
  },
  {
    name: 'a variable of the role in round brackets',
    code: 'RB1156',
    tasks: `  - set: {app: x}\n${config('«$(app)-config')}`,
    says: '`${$app}`',
    also: ['RB1133'],
  },
  {
    name: 'a quantity in megabytes',
    code: 'RB1801',
    tasks: deployment(', resources: {limits: {memory: «100MB}}'),
    says: '100M',
  },
  { name: 'a quantity with a space', code: 'RB1801', tasks: deployment(', resources: {requests: {cpu: «"1 m"}}') },
  {
    name: 'a request above its limit',
    code: 'RB1801',
    tasks: deployment(', resources: {requests: {cpu: «"2"}, limits: {cpu: "1"}}'),
    says: 'less than or equal to',
  },
  {
    name: 'a selector that is not in the template',
    code: 'RB1801',
    tasks: deployment('', { labels: '{app: other}' }).replace('metadata: {labels', 'metadata: {«labels'),
    says: 'does not match template',
  },
  {
    name: 'a mount of no volume',
    code: 'RB1801',
    tasks: deployment(', volumeMounts: [{name: «config, mountPath: /c}]', {
      volumes: 'volumes: [{name: conf, emptyDir: {}}]',
    }),
    says: 'did you mean `conf`?',
  },
  {
    name: 'a kind of another group',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «v1, kind: StatefulSet, metadata: {name: x}}\n',
    says: 'apps/v1',
  },
  {
    name: 'a version that is gone',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: x}}\n',
    says: 'policy/v1',
  },
  {
    name: 'a group that is gone',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «extensions/v1beta1, kind: Ingress, metadata: {name: x}}\n',
    says: 'networking.k8s.io/v1',
  },
  {
    name: 'a version that never was',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «apps/v2, kind: Deployment, metadata: {name: x}}\n',
    says: 'apps/v1',
  },
  {
    name: 'a misspelt group',
    code: 'RB1132',
    tasks: '  - ensure: {apiVersion: «app/v1, kind: Deployment, metadata: {name: x}}\n',
    says: 'apps/v1',
  },
  {
    name: 'a misspelt group of a domain',
    code: 'RB1132',
    tasks:
      '  - get: {apiVersion: «networking.k8.io/v1, kind: Ingress, name: x}\n    register: x\n  - set: {a: "${$x}"}\n',
    says: 'networking.k8s.io/v1',
    also: ['RB1133'],
  },
  {
    name: 'a kind whose CRD is not given',
    code: 'RB1807',
    tasks: '  - ensure: {apiVersion: monitoring.coreos.com/v1, kind: «ServiceMonitor, metadata: {name: x}}\n',
    says: '--schemas',
  },
  {
    name: 'a loop over a number',
    code: 'RB1157',
    tasks: config('"x-${$item}"', '    loop: ${«spec.size}\n').replace('ensure', 'ensure'),
    says: '${[1..spec.size]}',
  },
  {
    name: 'a loop over true or false',
    code: 'RB1157',
    tasks: config('"x-${$item}"', '    loop: ${«spec.debug}\n'),
    says: 'when:',
  },
  {
    name: 'a loop over a text',
    code: 'RB1157',
    tasks: config('"x-${$item}"', '    loop: ${«spec.image}\n'),
    says: '$split(',
  },
  {
    name: 'a loop that writes one name',
    code: 'RB1804',
    tasks: config('«web', '      data: {a: "${$string($item)}"}\n    loop: ${[1..3]}\n'),
    says: '$item',
  },
  {
    name: 'two tasks that write one name',
    code: 'RB1804',
    tasks: `${config('web')}${config('«web').replace('Config', 'Config 2')}`,
    says: '"Config"',
  },
  {
    name: 'a name made of an optional field',
    code: 'RB1803',
    tasks: config('«"${spec.host}-config"'),
    says: 'may be absent',
  },
  {
    name: 'a label made of an optional field',
    code: 'RB1803',
    tasks: config('web, labels: {host: «"x-${spec.host}"}'),
    says: 'metadata.labels.host',
  },
  {
    name: 'two tasks of one name',
    code: 'RB1158',
    tasks: `${config('a')}${config('b').replace('name: Config', 'name: «Config')}`,
    says: 'line',
  },
  // What a server refuses besides.
  { name: 'a name with capitals', code: 'RB1803', tasks: config('«Web'), says: 'DNS-1123' },
  { name: 'a label with a space', code: 'RB1801', tasks: config('web, labels: {app: «"a b"}') },
  { name: 'a key of a label with two slashes', code: 'RB1801', tasks: config('web, labels: {«a/b/c: x}') },
  { name: 'a key of data with a slash', code: 'RB1801', tasks: config('web', '      data: {«a/b: x}\n') },
  { name: 'a port beyond the last', code: 'RB1801', tasks: deployment(', ports: [{containerPort: «70000}]') },
  {
    name: 'a name of a port that is too long',
    code: 'RB1801',
    tasks: deployment(', ports: [{name: «averyveryverylongname, containerPort: 80}]'),
  },
  { name: 'a pull policy that is none', code: 'RB1801', tasks: deployment(', imagePullPolicy: «Sometimes') },
  {
    name: 'a name of a container with an underscore',
    code: 'RB1801',
    tasks: deployment('').replace('{name: web, image', '{name: «web_1, image'),
  },
  {
    name: 'a container without an image',
    code: 'RB1801',
    tasks: deployment('').replace('{name: web, image: nginx}', '«{name: web}'),
  },
  {
    name: 'two ports of a Service without names',
    code: 'RB1801',
    tasks: service('{selector: {app: web}, ports: [«{port: 80}, {port: 81}]}'),
    also: ['RB1801'],
  },
  {
    name: 'a type of a Service that is none',
    code: 'RB1801',
    tasks: service('{type: «External, selector: {app: web}, ports: [{port: 80}]}'),
  },
  {
    name: 'fewer replicas than none',
    code: 'RB1801',
    tasks: deployment('').replace('selector:', 'replicas: «-1\n        selector:'),
  },
  {
    name: 'a schedule that is none',
    code: 'RB1801',
    tasks:
      '  - ensure: {apiVersion: batch/v1, kind: CronJob, metadata: {name: x}, spec: {schedule: «every hour, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: x, image: z}]}}}}}}\n',
  },
  {
    name: 'a Job whose Pod restarts always',
    code: 'RB1801',
    tasks:
      '  - ensure: {apiVersion: batch/v1, kind: Job, metadata: {name: x}, spec: {template: {«spec: {containers: [{name: x, image: z}]}}}}\n',
  },
  {
    name: 'a status that the schema does not allow',
    code: 'RB1805',
    tasks: '  - status: {phase: «"${spec.debug ? $string(spec.size) : \\"Up\\"}"}\n',
  },
  {
    name: 'an expression that fails',
    code: 'RB1803',
    tasks: config('web', '      data: {a: «"${$string($number(spec.image))}"}\n'),
  },
  {
    name: 'what some value of an enumeration brings',
    code: 'RB1801',
    tasks: deployment(', imagePullPolicy: «"${spec.mode = \\"slow\\" ? \\"Slowly\\" : \\"Always\\"}"'),
    says: 'slow',
  },
  {
    name: 'a Secret whose data is no base64',
    code: 'RB1801',
    tasks: '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: x}, data: {a: «"not base64!"}}\n',
  },
  {
    name: 'two ports of one number and name',
    code: 'RB1801',
    tasks: service('{selector: {app: web}, ports: [{name: a, port: 80}, «{name: a, port: 80}]}'),
    also: ['RB1801'],
  },
  {
    name: 'two containers of one name',
    code: 'RB1801',
    tasks: deployment('').replace('image: nginx}]', 'image: nginx}, {name: «web, image: x}]'),
  },
  {
    name: 'a key of a Secret with a slash, written as plain text',
    code: 'RB1801',
    tasks: '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: x}, stringData: {«"a/b": x}}\n',
  },
  {
    name: 'a key of data with a slash, made by an expression',
    code: 'RB1801',
    tasks: config('web', '      data: {«"a/${spec.size}": x}\n'),
  },
  {
    name: 'the second text of a list',
    code: 'RB1801',
    tasks:
      '  - ensure: {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x}, spec: {podSelector: {}, policyTypes: [Ingress, «Both]}}\n',
    says: 'spec.policyTypes[1]',
  },
  {
    name: 'fewer replicas than none for an object of others',
    code: 'RB1801',
    tasks: '  - patch: {apiVersion: apps/v1, kind: Deployment, metadata: {name: others}, spec: {replicas: «-1}}\n',
  },
  {
    name: 'a kind that servers warn of',
    code: 'RB1802',
    tasks: '  - «ensure: {apiVersion: v1, kind: Endpoints, metadata: {name: web}}\n',
    says: 'v1 Endpoints is deprecated in v1.33+',
  },
  // What objects of a role say of each other.
  {
    name: 'a key that its own ConfigMap lacks',
    code: 'RB1806',
    tasks: `${config('web', '      data: {greeting: hello}\n')}${deployment(', env: [{name: A, valueFrom: {configMapKeyRef: {name: web, key: «greting}}}]')}`,
    says: 'did you mean `greeting`?',
  },
  {
    name: 'a key that its own Secret lacks, whose values are generated',
    code: 'RB1806',
    tasks: `  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: web}}\n    generate: {password: {length: 20}}\n${deployment(', env: [{name: A, valueFrom: {secretKeyRef: {name: web, key: «pasword}}}]')}`,
    says: 'did you mean `password`?',
  },
  {
    name: 'a key that a volume wants of its own ConfigMap',
    code: 'RB1806',
    tasks: `${config('web', '      data: {a.conf: x}\n')}${deployment('', { volumes: 'volumes: [{name: c, configMap: {name: web, items: [{key: «b.conf, path: b}]}}]' })}`,
    says: 'a.conf',
  },
  {
    name: 'a name that is almost that of its own ConfigMap',
    code: 'RB1806',
    tasks: `${config('web-config')}${deployment(', envFrom: [{configMapRef: {name: «web-confg}}]')}`,
    says: 'did you mean `web-config`?',
  },
  {
    name: 'a port of a Service by a name that no container has',
    code: 'RB1806',
    tasks: `${deployment(', ports: [{name: http, containerPort: 80}]')}${service('{selector: {app: web}, ports: [{port: 80, targetPort: «htp}]}')}`,
    says: 'did you mean `http`?',
  },
  {
    name: 'a port of a probe by a name that the container lacks',
    code: 'RB1806',
    tasks: deployment(', ports: [{name: http, containerPort: 80}], livenessProbe: {httpGet: {port: «web}}'),
    says: 'did you mean `http`?',
  },
  {
    name: 'a port of a probe of a container whose ports have no names',
    code: 'RB1806',
    tasks: deployment(', ports: [{containerPort: 80}], livenessProbe: {httpGet: {port: «web}}'),
    says: 'its ports have no names',
  },
  {
    name: 'a port of a probe that is like none of two',
    code: 'RB1806',
    tasks: deployment(
      ', ports: [{name: http, containerPort: 80}, {name: sql, containerPort: 81}], livenessProbe: {httpGet: {port: «web}}',
    ),
    says: 'there are http, sql',
  },
  {
    name: 'a mount of a part of the name of a volume',
    code: 'RB1801',
    tasks: deployment(', volumeMounts: [{name: «conf, mountPath: /a}]', {
      volumes: 'volumes: [{name: config, emptyDir: {}}, {name: data, emptyDir: {}}]',
    }),
    says: 'did you mean `config`?',
  },
  {
    name: 'a mount of the misspelt name of a claim',
    code: 'RB1801',
    tasks: statefulSet('""')
      .replace('image: nginx', 'image: nginx, volumeMounts: [{name: «dta, mountPath: /a}]')
      .replace(
        'serviceName: ""',
        'volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]',
      ),
    says: 'did you mean `data`?',
  },
  {
    name: 'a mount of a volume like none of two',
    code: 'RB1801',
    tasks: deployment(', volumeMounts: [{name: «zzzz, mountPath: /a}]', {
      volumes: 'volumes: [{name: config, emptyDir: {}}, {name: data, emptyDir: {}}]',
    }),
    says: 'the volumes are config, data',
  },
  {
    name: 'a mount of another volume than the only one',
    code: 'RB1801',
    tasks: deployment(', volumeMounts: [{name: «zzzz, mountPath: /a}]', {
      volumes: 'volumes: [{name: data, emptyDir: {}}]',
    }),
    says: 'the only volume is data',
  },
  {
    name: 'a mount of a Pod without volumes',
    code: 'RB1801',
    tasks: deployment(', volumeMounts: [{name: «zzzz, mountPath: /a}]'),
    says: 'of one of the `volumes`',
  },
  {
    name: 'a port of an Ingress that the Service lacks',
    code: 'RB1806',
    tasks: `${service('{selector: {app: web}, ports: [{port: 80}]}')}  - ensure: {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web}, spec: {defaultBackend: {service: {name: web, port: {number: «81}}}}}\n`,
    says: '80',
  },
  {
    name: 'a selector of a Service with a slip in its value',
    code: 'RB1806',
    tasks: `${deployment('')}${service('{selector: {app: «weeb}, ports: [{port: 80}]}')}`,
    says: 'did you mean `app: web`?',
  },
  {
    name: 'a selector of a budget with a slip in its key',
    code: 'RB1806',
    tasks: `${deployment('').replaceAll('app: web', 'appname: web')}  - ensure: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {apname: «web}}}}\n`,
    says: 'did you mean `appname: web`?',
  },
  {
    name: 'a Service of a StatefulSet that the role does not make, beside the headless one of its Pods',
    code: 'RB1806',
    tasks: `${headless('peers')}${headless('others', 'other')}${statefulSet('«web-headless')}`,
    says: 'did you mean `peers`?',
  },
  {
    name: 'a Service of a StatefulSet that the role does not make, beside two headless ones of its Pods',
    code: 'RB1806',
    tasks: `${headless('peers')}${headless('clients')}${statefulSet('«web-headless')}`,
    says: 'their headless Services are peers, clients',
  },
  {
    name: 'a Service of a StatefulSet that is almost called as it should',
    code: 'RB1806',
    tasks: `${headless('peers')}${statefulSet('«peer')}`,
    says: 'one that is almost called so did you mean `peers`?',
  },
  {
    name: 'a secret in a ConfigMap',
    code: 'RB1809',
    tasks: `${TOKEN}${config('web', '      data: {a: «"${$base64decode($token.data.value)}"}\n')}`,
    says: 'in a ConfigMap: `$token` (line 3)',
  },
  {
    name: 'a secret within an annotation',
    code: 'RB1809',
    tasks: `${TOKEN}${config('web, annotations: {b: c, a: «"Bearer ${$token.data.value}"}')}`,
    says: 'this annotation',
  },
  {
    name: 'a secret in a label, by a name that a task gives',
    code: 'RB1809',
    tasks: `${TOKEN}  - set: {value: "\${$token.data.value}"}\n${config('web, labels: {a: «"${$value}"}')}`,
    says: '`$token` (line 3) → `$value` (line 4)',
  },
  {
    name: 'a secret in the name of a label',
    code: 'RB1809',
    tasks: `${TOKEN}${config('web, labels: {«"${$token.data.value}": a}')}`,
    says: 'this label',
  },
  {
    name: 'all of a Secret as annotations',
    code: 'RB1809',
    tasks: `${TOKEN}${config('web, annotations: «"${$token.data}"')}`,
  },
  {
    name: 'a secret in an annotation of Pods',
    code: 'RB1809',
    tasks: `${TOKEN}${deployment('', { labels: '{app: web}, annotations: {a: «"${$token.data.value}"}' })}`,
  },
  {
    name: 'a secret in a label of an object of others',
    code: 'RB1809',
    tasks: `${TOKEN}  - patch: {apiVersion: v1, kind: Service, metadata: {name: others, labels: {a: «"\${$token.data.value}"}}}\n`,
  },
  {
    name: 'a secret in an annotation of a Secret, in a block',
    code: 'RB1809',
    tasks: `${TOKEN}  - block:\n      tasks:\n        - ensure: {apiVersion: v1, kind: Secret, metadata: {name: b, annotations: {a: «"\${$token.data.value}"}}, data: {a: "\${$token.data.value}"}}\n`,
  },
]

/** Roles that look like one of those, and are right. */
export const RIGHT_ROLES: readonly RightRole[] = [
  { name: 'a map within an expression', tasks: config('a, labels: \'${{"size": "x", "more": {"a": 1}.a & ""}}\'') },
  {
    name: 'a variable of a shell in a script',
    tasks: deployment(', command: [sh, -c, "echo $metadata.name $$spec.size"]'),
  },
  { name: 'a StatefulSet whose Service it makes', tasks: `${headless('peers')}${statefulSet('peers')}` },
  {
    name: 'a StatefulSet whose Service is made by others',
    tasks: `${service('{selector: {app: web}, ports: [{port: 80}]}')}${statefulSet('others')}`,
  },
  {
    name: 'a StatefulSet beside a headless Service of other Pods',
    tasks: `${headless('peers', 'other')}${statefulSet('others')}`,
  },
  {
    name: 'a StatefulSet beside a headless Service without Pods',
    tasks: `${headless('peers').replace('selector: {app: web}, ', '')}${statefulSet('others')}`,
  },
  { name: 'a StatefulSet without a Service', tasks: `${headless('peers')}${statefulSet('""')}` },
  {
    name: 'a template of another program in a ConfigMap',
    tasks: config('web', '      data: {rule: "{{ $labels.instance }} is down: {{ .Annotations.a }}"}\n'),
  },
  {
    name: 'a variable of the container in its arguments',
    tasks: deployment(', env: [{name: PORT, value: "1"}], args: ["--port=$(PORT)", "$(hostname)"]'),
  },
  {
    name: 'a loop over one object',
    tasks: config('"x-${$item.size}"', '    loop: ${[spec]}\n').replace('$item.size', '$string($item.size)'),
  },
  {
    name: 'a name of an optional field that is looked at before',
    tasks: config('"${spec.host}-config"', '    when: ${$exists(spec.host)}\n'),
  },
  { name: 'a name of an optional field with a default', tasks: config('"${spec.host ?? \'none\'}-config"') },
  {
    name: 'a Service for Pods of others',
    tasks: `${deployment('')}${service('{selector: {app: database}, ports: [{port: 80, targetPort: sql}]}')}`,
  },
  {
    name: 'a key of a ConfigMap of others',
    tasks: deployment(', env: [{name: A, valueFrom: {configMapKeyRef: {name: others, key: a}}}]'),
  },
  {
    name: 'an optional key',
    tasks: `${config('web')}${deployment(', env: [{name: A, valueFrom: {configMapKeyRef: {name: web, key: a, optional: true}}}]')}`,
  },
  {
    name: 'a refusal that the role chooses itself',
    tasks: `  - assert: {that: ["\${spec.size < 5}"], message: too large}\n${config('web')}`,
  },
  {
    name: 'a wait for what others make',
    tasks: `  - get: {apiVersion: v1, kind: Secret, name: token}\n    register: token\n${config('web', '      data: {a: "${$sha256($token.data.value)}"}\n')}`,
  },
  {
    name: 'a patch of an object of others',
    tasks: '  - patch: {apiVersion: apps/v1, kind: Deployment, metadata: {name: others, labels: {a: b}}}\n',
  },
  {
    name: 'ports of a Service by number',
    tasks: `${deployment(', ports: [{containerPort: 80}]')}${service('{selector: {app: web}, ports: [{port: 80, targetPort: 80}]}')}`,
  },
  {
    name: 'claims of a StatefulSet that it mounts',
    tasks:
      '  - ensure: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {serviceName: web, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: web, image: nginx, volumeMounts: [{name: data, mountPath: /d}]}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}\n',
  },
  {
    name: 'a text of the resource as a quantity',
    tasks: deployment(', resources: {limits: {memory: "${spec.memory ?? \'1Gi\'}"}}'),
  },
  {
    name: 'a secret in another Secret, and its digest in an annotation',
    tasks: `${TOKEN}  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: b, annotations: {sum: "\${$sha256($token.data)}"}}, data: {a: "\${$token.data.value}"}}\n`,
  },
  {
    name: 'the name and labels of a Secret',
    tasks: `${TOKEN}${config('web, labels: {a: "${$token.metadata.labels.app ?? \'none\'}"}', '      data: {secret: "${$token.metadata.name}"}\n')}`,
  },
  {
    name: 'a secret in a ConfigMap of a task that says so',
    tasks: `${TOKEN}${config('web', '      data: {a: "${$base64decode($token.data.value)}"}\n    sensitive: true\n')}`,
  },
]
