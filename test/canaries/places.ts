import type { KubeObject } from '../../src/core/kube/object.ts'

/** A place where a secret value is put, and how a role gets hold of it. */
export interface Place {
  readonly name: string
  /** What stands in the cluster before the role runs. */
  readonly objects: readonly KubeObject[]
  /** Tasks that read it, in YAML. */
  readonly reads: string
  /** An expression that yields the text. */
  readonly value: string
  /** Files of the role, by their path in its folder. */
  readonly files?: Readonly<Record<string, string>>
  /** Whether only the value shows that it is a secret: the check of roles cannot know that. */
  readonly isLaundered?: boolean
  /** Whether the text is made by the run: it stands in `data.k` of the Secret `own` afterwards. */
  readonly isGenerated?: boolean
}

function secret(name: string, content: Partial<KubeObject>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', ...content, metadata: { name, ...content.metadata } }
}

function configMap(name: string, data: Readonly<Record<string, string>>, labels = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }
}

function get(kind: string, name: string, more = ''): string {
  return `  - {get: {apiVersion: v1, kind: ${kind}, name: ${name}${more}}, register: it}\n`
}

const GET_SECRET = get('Secret', 'creds')
const DECODED = '$base64decode($it.data.k)'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
/** What a laundered value must be known by: the Secret itself is read, too. */
const ALSO_SECRET = '  - {get: {apiVersion: v1, kind: Secret, name: creds}, register: creds}\n'
const SHOWN_EARLY = `  - {event: {type: Normal, reason: Early, message: "early \${$it.data.it}"}}
  - {status: {early: "\${$substring($it.data.it, 3)}"}}
  - {block: {tasks: [{fail: {message: "early \${$it.data.it}"}}], rescue: [{set: {rescued: "yes"}}]}}
`
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The places for one canary. */
export function placesOf(canary: string): readonly Place[] {
  const plain = secret('creds', { stringData: { k: canary } })
  const annotated = secret('creds', {
    stringData: { k: canary },
    metadata: { annotations: { [LAST_APPLIED]: JSON.stringify({ stringData: { k: canary } }) } },
  })
  const copy = configMap('copy', { it: canary })
  return [
    {
      name: 'data of a Secret',
      objects: [secret('creds', { data: { k: base64(canary) } })],
      reads: GET_SECRET,
      value: DECODED,
    },
    { name: 'stringData of a Secret', objects: [plain], reads: GET_SECRET, value: DECODED },
    { name: 'base64 in a Secret, taken as it is', objects: [plain], reads: GET_SECRET, value: '$it.data.k' },
    {
      name: 'base64 within a Secret',
      objects: [secret('creds', { stringData: { k: base64(canary) } })],
      reads: GET_SECRET,
      value: `$base64decode(${DECODED})`,
    },
    {
      name: 'JSON in a Secret',
      objects: [secret('creds', { stringData: { k: JSON.stringify({ p: canary, n: 1 }) } })],
      reads: GET_SECRET,
      value: `$fromJson(${DECODED}).p`,
    },
    {
      name: 'YAML in a Secret',
      objects: [secret('creds', { stringData: { k: `p: ${JSON.stringify(canary)}\n` } })],
      reads: GET_SECRET,
      value: `$fromYaml(${DECODED}).p`,
    },
    {
      name: 'a URL in a Secret',
      objects: [secret('creds', { stringData: { k: `db://u:${encodeURIComponent(canary)}@h` } })],
      reads: GET_SECRET,
      value: DECODED,
    },
    {
      name: 'lines in a Secret',
      objects: [secret('creds', { stringData: { k: `BEGIN\n${canary}\nEND\n` } })],
      reads: GET_SECRET,
      value: `$split(${DECODED}, '\\n')[1]`,
    },
    {
      name: 'the login of a registry',
      objects: [
        secret('creds', { stringData: { k: JSON.stringify({ auths: { r: { auth: base64(`user:${canary}`) } } }) } }),
      ],
      reads: GET_SECRET,
      value: `$base64decode($fromJson(${DECODED}).auths.r.auth)`,
    },
    {
      name: 'the annotation that kubectl makes of a Secret',
      objects: [annotated],
      reads: GET_SECRET,
      value: `$string($it.metadata.annotations)`,
    },
    {
      name: 'a list of Secrets',
      objects: [{ ...plain, metadata: { name: 'creds', labels: { part: 'yes' } } }],
      reads: '  - {list: {apiVersion: v1, kind: Secret, labels: {part: "yes"}}, register: it}\n',
      value: '$base64decode($it[0].data.k)',
    },
    {
      name: 'the items of a loop over a Secret',
      objects: [plain],
      reads: `${GET_SECRET}  - {set: {all: "\${$each($it.data, function($v) { $base64decode($v) })}"}}\n`,
      value: '$all[0]',
    },
    {
      name: 'a variable that was set from a Secret',
      objects: [plain],
      reads: `${GET_SECRET}  - {set: {one: {p: "\${${DECODED}}"}}}\n  - {set: {two: "\${$one.p}"}}\n`,
      value: '$two',
    },
    {
      name: 'a Secret that the role copies',
      objects: [plain],
      reads: `${GET_SECRET}  - {ensure: {apiVersion: v1, kind: Secret, metadata: {name: own}, data: "\${$it.data}"}, register: own}\n`,
      value: '$base64decode($own.data.k)',
    },
    {
      name: 'a value that is generated',
      objects: [],
      reads:
        '  - {ensure: {apiVersion: v1, kind: Secret, metadata: {name: own}}, generate: {k: {length: 24}}, register: own}\n',
      value: '$base64decode($own.data.k)',
      isGenerated: true,
    },
    {
      name: 'a ConfigMap that the role copies it into',
      objects: [plain],
      reads: `${GET_SECRET}  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: own}, data: {k: "\${${DECODED}}"}}, register: own}\n`,
      value: '$own.data.k',
    },
    {
      name: 'a Secret that the role patches',
      objects: [plain],
      reads:
        '  - {patch: {apiVersion: v1, kind: Secret, metadata: {name: creds, labels: {seen: "yes"}}}, register: it}\n',
      value: DECODED,
    },
    {
      name: 'a ConfigMap that a sensitive task reads',
      objects: [copy],
      reads: get('ConfigMap', 'copy').replace('{get', '{sensitive: true, get'),
      value: '$it.data.it',
    },
    {
      name: 'a list that a sensitive task reads',
      objects: [configMap('copy', { it: canary }, { part: 'yes' })],
      reads: '  - {sensitive: true, list: {apiVersion: v1, kind: ConfigMap, labels: {part: "yes"}}, register: it}\n',
      value: '$it[0].data.it',
    },
    {
      name: 'a file of the role that a sensitive task fills in',
      objects: [copy],
      files: { 'files/token': '${$it.data.it}' },
      reads: `${get('ConfigMap', 'copy').replace('{get', '{sensitive: true, get')}  - {sensitive: true, set: {token: "\${$template('token')}"}}\n`,
      value: '$token',
    },
    {
      name: 'a ConfigMap into which a user has copied it',
      objects: [plain, copy],
      reads: `${ALSO_SECRET}${get('ConfigMap', 'copy')}`,
      value: '$it.data.it',
      isLaundered: true,
    },
    {
      name: 'a copy that an event shows before the Secret is read',
      objects: [plain, copy],
      reads: `${get('ConfigMap', 'copy')}${SHOWN_EARLY}${ALSO_SECRET}`,
      value: '$it.data.it',
      isLaundered: true,
    },
  ]
}
