import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { parseWatches, type WatchDefaults } from '../../../src/rolebook/config/parse-watches.ts'
import { REFUSED_KEYS } from '../../../src/rolebook/config/watches-schema.ts'

const ENTRY = 'group: example.com, version: v1, kind: Web, role: web'

const parse = (text: string, defaults: Partial<WatchDefaults> = {}) => {
  const { entries, diagnostics } = parseWatches(new SourceFile('watches.yaml', text), { environment: {}, ...defaults })
  return { watches: entries.map(({ watch }) => watch), diagnostics }
}

const problems = (text: string): string[] =>
  parse(text).diagnostics.map(({ code, line, column }) => `${code}:${line}:${column}`)

/** One entry with more keys, each in a line of its own from line 2 on. */
const withKeys = (...keys: string[]): string => [`- {${ENTRY},`, ...keys.map((key) => `   ${key},`), '  }'].join('\n')

describe('parseWatches', () => {
  it('fills in defaults', () => {
    const { watches, diagnostics } = parse(`- {${ENTRY}}`)
    expect(diagnostics).to.deep.equal([])
    expect(watches).to.deep.equal([
      {
        gvk: { group: 'example.com', version: 'v1', kind: 'Web' },
        role: 'web',
        vars: {},
        reconcilePeriod: 36_000_000,
        maxConcurrentReconciles: 16,
        namespaces: undefined,
        selector: undefined,
        allowedNamespaces: {},
        manageStatus: true,
        deletion: { propagation: 'background' },
        watchDependentResources: true,
        acknowledge: [],
      },
    ])
    expect(Object.isFrozen(watches[0]?.gvk)).to.equal(true)
  })

  it('takes defaults of the invocation', () => {
    const [watch] = parse(`- {${ENTRY}}`, {
      ...{ namespaces: ['a', 'b'], reconcilePeriod: 60_000, maxConcurrentReconciles: 3 },
    }).watches
    expect(watch?.namespaces).to.deep.equal(['a', 'b'])
    expect(watch?.reconcilePeriod).to.equal(60_000)
    expect(watch?.maxConcurrentReconciles).to.equal(3)
  })

  it('takes the period of the entry before that of the invocation', () => {
    const text = withKeys('reconcilePeriod: 1h')
    expect(parse(text, { reconcilePeriod: 60_000 }).watches[0]?.reconcilePeriod).to.equal(3_600_000)
  })

  it('reads every key', () => {
    const { watches, diagnostics } = parse(
      `- apiVersion: rolebook.dev/v1
  group: ""
  version: v1
  kind: ConfigMap
  role: web.v2_a
  vars: {image: "nginx:$(TAG)", list: [{x: "$$(TAG)"}], size: 3}
  reconcilePeriod: 1h30m
  maxConcurrentReconciles: 2
  namespaces: [a]
  selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d]}, {key: e, operator: Exists}]}
  allowedNamespaces: {read: ["*"], write: [shared]}
  manageStatus: false
  deletion: {propagation: foreground, order: reverse}
  watchDependentResources: false
  acknowledge: [Role.rbac.authorization.k8s.io, Secret]
`,
      { environment: { TAG: '$(OTHER) ${x}' }, namespaces: ['default'] },
    )
    expect(diagnostics).to.deep.equal([])
    const [watch] = watches
    expect(watch).to.deep.include({
      gvk: { group: '', version: 'v1', kind: 'ConfigMap' },
      vars: { image: 'nginx:$(OTHER) ${x}', list: [{ x: '$(TAG)' }], size: 3 },
      reconcilePeriod: 5_400_000,
      maxConcurrentReconciles: 2,
      namespaces: ['a'],
      allowedNamespaces: { read: ['*'], write: ['shared'] },
      manageStatus: false,
      deletion: { propagation: 'foreground', order: 'reverse' },
      watchDependentResources: false,
      acknowledge: [
        { group: 'rbac.authorization.k8s.io', kind: 'Role' },
        { group: '', kind: 'Secret' },
      ],
    })
    expect(watch?.selector?.matchExpressions).to.have.length(2)
  })

  it('takes a list of namespaces for reading and writing', () => {
    const [watch] = parse(withKeys('allowedNamespaces: [a, "*"]')).watches
    expect(watch?.allowedNamespaces).to.deep.equal({ read: ['a', '*'], write: ['a', '*'] })
  })

  it('takes a word for the propagation of deletions', () => {
    const [watch] = parse(withKeys('deletion: foreground')).watches
    expect(watch?.deletion).to.deep.equal({ propagation: 'foreground' })
  })

  it('lets the period be switched off', () => {
    expect(parse(withKeys('reconcilePeriod: 0s')).watches[0]?.reconcilePeriod).to.equal(0)
  })

  const refused: { name: string; text: string; expected: string[]; message?: string }[] = [
    { name: 'an empty file', text: '', expected: ['RB1014:1:1'] },
    { name: 'an empty list', text: '[]', expected: ['RB1023:1:1'], message: 'nothing would be watched' },
    { name: 'a map', text: 'group: a', expected: ['RB1022:1:1'] },
    { name: 'an entry that is text', text: '- web', expected: ['RB1022:1:3'] },
    { name: 'two documents', text: `- {${ENTRY}}\n---\n- {${ENTRY}}`, expected: ['RB1012:2:1'] },
    { name: 'missing keys', text: '- {kind: Web}', expected: ['RB1021:1:3', 'RB1021:1:3', 'RB1021:1:3'] },
    { name: 'an unknown key', text: withKeys('namespace: [a]'), expected: ['RB1020:2:4'] },
    {
      name: 'a kind in lower case',
      text: `- {${ENTRY.replace('Web', 'web')}}`,
      expected: ['RB1023:1:43'],
      message: 'with a capital',
    },
    {
      name: 'a subresource',
      text: `- {${ENTRY.replace('Web', 'Web/status')}}`,
      expected: ['RB1023:1:43'],
      message: 'no subresource',
    },
    {
      name: 'a wildcard as kind',
      text: `- {${ENTRY.replace('Web', '"*"')}}`,
      expected: ['RB1023:1:43'],
      message: 'no wildcard',
    },
    { name: 'a wildcard as group', text: `- {${ENTRY.replace('example.com', '"*"')}}`, expected: ['RB1023:1:11'] },
    { name: 'a group in upper case', text: `- {${ENTRY.replace('example', 'Example')}}`, expected: ['RB1023:1:11'] },
    {
      name: 'a group with its version',
      text: `- {${ENTRY.replace('example.com', 'example.com/v1')}}`,
      expected: ['RB1023:1:11'],
    },
    { name: 'a version that is none', text: `- {${ENTRY.replace('v1', '"1"')}}`, expected: ['RB1023:1:33'] },
    {
      name: 'a role with a path',
      text: `- {${ENTRY.replace('role: web', 'role: a/b')}}`,
      expected: ['RB1023:1:54'],
      message: 'no path',
    },
    {
      name: 'a role above the folder',
      text: `- {${ENTRY.replace('role: web', 'role: ../web')}}`,
      expected: ['RB1023:1:54'],
    },
    {
      name: 'a role that is the folder above',
      text: `- {${ENTRY.replace('role: web', 'role: ..')}}`,
      expected: ['RB1023:1:54'],
    },
    {
      name: 'an absolute role',
      text: `- {${ENTRY.replace('role: web', 'role: /etc/web')}}`,
      expected: ['RB1023:1:54'],
    },
    {
      name: 'a role that would be a CRD',
      text: `- {${ENTRY.replace('role: web', 'role: web.crd')}}`,
      expected: ['RB1023:1:54'],
    },
    { name: 'a period that is negative', text: withKeys('reconcilePeriod: -5s'), expected: ['RB1307:2:21'] },
    {
      name: 'a period of 1ms',
      text: withKeys('reconcilePeriod: 1ms'),
      expected: ['RB1307:2:21'],
      message: 'from 10s to 500h',
    },
    { name: 'a period of 10000h', text: withKeys('reconcilePeriod: 10000h'), expected: ['RB1307:2:21'] },
    {
      name: 'a period of NaN',
      text: withKeys('reconcilePeriod: NaN'),
      expected: ['RB1307:2:21'],
      message: 'must be a duration',
    },
    { name: 'a period without unit', text: withKeys('reconcilePeriod: 10'), expected: ['RB1022:2:21'] },
    { name: 'no worker', text: withKeys('maxConcurrentReconciles: 0'), expected: ['RB1023:2:29'] },
    { name: 'half a worker', text: withKeys('maxConcurrentReconciles: 1.5'), expected: ['RB1022:2:29'] },
    { name: 'no namespaces', text: withKeys('namespaces: []'), expected: ['RB1023:2:16'] },
    { name: 'a namespace that is none', text: withKeys('namespaces: [a, A_B]'), expected: ['RB1023:2:20'] },
    { name: 'a wildcard as namespace', text: withKeys('namespaces: ["*"]'), expected: ['RB1023:2:17'] },
    {
      name: 'an unknown key of allowedNamespaces',
      text: withKeys('allowedNamespaces: {writes: [a]}'),
      expected: ['RB1020:2:24'],
    },
    { name: 'allowedNamespaces that is text', text: withKeys('allowedNamespaces: a'), expected: ['RB1022:2:23'] },
    { name: 'a selector as text', text: withKeys('selector: a=b'), expected: ['RB1022:2:14'] },
    { name: 'an empty selector', text: withKeys('selector: {}'), expected: ['RB1023:2:14'] },
    {
      name: 'a selector with an unknown operator',
      text: withKeys('selector: {matchExpressions: [{key: a, operator: Eq, values: [b]}]}'),
      expected: ['RB1023:2:53'],
    },
    {
      name: 'a selector without values',
      text: withKeys('selector: {matchExpressions: [{key: a, operator: In}]}'),
      expected: ['RB1309:2:14'],
    },
    {
      name: 'a selector with useless values',
      text: withKeys('selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}'),
      expected: ['RB1309:2:34'],
    },
    {
      name: 'a selector with a broken key',
      text: withKeys('selector: {matchLabels: {"a b": c}}'),
      expected: ['RB1309:2:14'],
    },
    { name: 'a label that is a number', text: withKeys('selector: {matchLabels: {a: 1}}'), expected: ['RB1022:2:32'] },
    { name: 'a switch as text', text: withKeys('manageStatus: "true"'), expected: ['RB1022:2:18'] },
    { name: 'a kind to acknowledge that is none', text: withKeys('acknowledge: [role]'), expected: ['RB1023:2:18'] },
    {
      name: 'an unset environment variable',
      text: withKeys('vars: {a: "x $(TAG)", b: [$(TAG)]}'),
      expected: ['RB1308:2:17', 'RB1308:2:30'],
    },
    {
      name: 'a variable with the name of a function',
      text: withKeys('vars: {sum: 1, a-b: 2, item: 3}'),
      expected: ['RB1104:2:11', 'RB1105:2:19', 'RB1104:2:27'],
    },
    ...Object.keys(REFUSED_KEYS).map((key) => ({
      name: `the key ${key} of the Ansible operator`,
      text: withKeys(`${key}: 1`),
      expected: ['RB1306:2:4'],
    })),
    {
      name: 'everything at once',
      text: withKeys('playbook: a', 'reconcilePeriod: 1s', 'vars: {now: "$(A)"}'),
      expected: ['RB1306:2:4', 'RB1307:3:21', 'RB1104:4:11', 'RB1308:4:17'],
    },
  ]
  for (const { name, text, expected, message } of refused) {
    it(`refuses ${name}`, () => {
      expect(problems(text)).to.have.members(expected)
      if (message !== undefined) expect(parse(text).diagnostics[0]?.message).to.contain(message)
    })
  }

  it('says what to do instead of each refused key', () => {
    for (const key of Object.keys(REFUSED_KEYS)) {
      expect(parse(withKeys(`${key}: 1`)).diagnostics[0]?.hint).to.have.length.greaterThan(20)
    }
  })

  it('takes environment variables as they are, own ones only', () => {
    const text = withKeys('vars: {a: "$(toString)"}')
    expect(problems(text)).to.deep.equal(['RB1308:2:15'])
  })

  const entry = (selector: string, version = 'v1'): string =>
    `- {group: example.com, version: ${version}, kind: Web, role: web, selector: ${selector}}\n`
  const label = (operator: string, values?: string): string =>
    `{matchExpressions: [{key: a, operator: ${operator}${values ? `, values: [${values}]` : ''}}]}`

  const disjoint: { name: string; entries: [string, string] }[] = [
    { name: 'different values of one label', entries: ['{matchLabels: {a: b}}', '{matchLabels: {a: c}}'] },
    { name: 'In of different values', entries: [label('In', 'b, c'), label('In', 'd, e')] },
    { name: 'In and NotIn of the same values', entries: [label('In', 'b, c'), label('NotIn', 'c, b')] },
    { name: 'In and NotIn of more values', entries: [label('NotIn', 'b, c, d'), label('In', 'b')] },
    { name: 'Exists and DoesNotExist', entries: [label('Exists'), label('DoesNotExist')] },
    { name: 'DoesNotExist and a value', entries: [label('DoesNotExist'), '{matchLabels: {a: b}}'] },
    { name: 'one key of several', entries: ['{matchLabels: {x: z, a: b}}', '{matchLabels: {x: z, a: c}}'] },
  ]
  for (const { name, entries } of disjoint) {
    it(`accepts two entries of one kind, apart by ${name}`, () => {
      expect(problems(entry(entries[0]) + entry(entries[1]))).to.deep.equal([])
      expect(problems(entry(entries[1]) + entry(entries[0], 'v2'))).to.deep.equal([])
    })
  }

  const overlapping: { name: string; text: string }[] = [
    { name: 'the same entry twice', text: `- {${ENTRY}}\n- {${ENTRY}}` },
    { name: 'two versions', text: `- {${ENTRY}}\n- {${ENTRY.replace('v1', 'v2')}}` },
    { name: 'one selector', text: `- {${ENTRY}}\n${entry('{matchLabels: {a: b}}')}` },
    { name: 'different keys', text: entry('{matchLabels: {a: b}}') + entry('{matchLabels: {c: d}}') },
    { name: 'a value in common', text: entry(label('In', 'b, c')) + entry(label('In', 'c, d')) },
    { name: 'NotIn and NotIn', text: entry(label('NotIn', 'b')) + entry(label('NotIn', 'c')) },
    { name: 'In and NotIn of fewer values', text: entry(label('In', 'b, c')) + entry(label('NotIn', 'b')) },
    { name: 'NotIn and DoesNotExist', text: entry(label('NotIn', 'b')) + entry(label('DoesNotExist')) },
    { name: 'Exists and a value', text: entry(label('Exists')) + entry('{matchLabels: {a: b}}') },
    { name: 'different namespaces only', text: `- {${ENTRY}, namespaces: [a]}\n- {${ENTRY}, namespaces: [b]}` },
  ]
  for (const { name, text } of overlapping) {
    it(`refuses two entries of one kind with ${name}, naming both lines`, () => {
      const [problem, ...more] = parse(text).diagnostics
      expect(more).to.deep.equal([])
      expect(problem).to.include({ code: 'RB1310', line: 2 })
      expect(problem?.message).to.contain('lines 1 and 2')
    })
  }

  it('accepts one kind name in two groups', () => {
    expect(problems(`- {${ENTRY}}\n- {${ENTRY.replace('example.com', 'example.org')}}`)).to.deep.equal([])
  })
})
