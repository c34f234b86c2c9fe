import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { knownKinds } from '../../../../src/rolebook/cli/migrate/known-kinds.ts'
import { build } from '../../../../src/rolebook/migrate/kustomize/build.ts'
import { type Kustomization, KustomizeFiles } from '../../../../src/rolebook/migrate/kustomize/kustomize-files.ts'
import { Report } from '../../../../src/rolebook/migrate/report.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'

const known = knownKinds(loadBuiltinSchemas())

interface Case {
  readonly name: string
  readonly files: { readonly [path: string]: string }
  readonly objects: readonly object[]
}

function buildOf(content: { readonly [path: string]: string }) {
  const report = new Report()
  const read = (path: string) => (content[path] === undefined ? undefined : new SourceFile(path, content[path]))
  const files = new KustomizeFiles({ read, list: () => [] }, report)
  const built = build(files.kustomization('.') as Kustomization, { files, known })
  return {
    objects: built.map(({ object }) => object),
    decided: report.findings.map(({ what, message }) => `${what}: ${message}`),
  }
}

const config = (name: string, more: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'b' },
  ...more,
})
const CONFIG = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n`
const only = (more: string) => ({ 'kustomization.yaml': `resources: [web.yaml]\n${more}`, 'web.yaml': CONFIG })

/** A folder above one that generates. */
const above = (below: string, own: string) => ({
  'base/kustomization.yaml': `${below}\n`,
  'kustomization.yaml': `resources: [base]\n${own}\n`,
})
const web = (pod: string, more = '') =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {${more}template: {spec: ${pod}}}\n`
const images = (...all: string[]) => all.map((image, index) => `{name: c${index}, image: "${image}"}`).join(', ')
const SUBJECTS =
  '[{kind: ServiceAccount, name: default}, {kind: User, name: u}, {kind: ServiceAccount, name: other, namespace: z}]'
const rbac = (kind: string, more = '') =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: web}\n${more}`

/** As `kubectl kustomize` builds them, but for the encoding of Secrets. */
const CASES: readonly Case[] = [
  {
    name: 'a patch that stands in the list of patches, with labels',
    files: only(
      'patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: web, labels: {x: z}}\n  data: {c: d}\n',
    ),
    objects: [config('web', { metadata: { name: 'web', labels: { x: 'z' } }, data: { a: 'b', c: 'd' } })],
  },
  {
    name: 'a patch that deletes one of two objects',
    files: {
      'kustomization.yaml':
        'resources: [web.yaml, list.yaml]\npatches: [{patch: "$patch: delete\\napiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: web}"}]\n',
      'web.yaml': CONFIG,
      'list.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: b}}\n',
    },
    objects: [config('a'), config('b')],
  },
  {
    name: 'a patch of a kind without a schema, whose lists it replaces',
    files: {
      'kustomization.yaml':
        'resources: [./db.yaml]\npatches:\n- patch: |-\n    apiVersion: db.example.com/v1\n    kind: Db\n    metadata: {name: web}\n    spec: {hosts: [c], size: null}\n',
      'db.yaml': 'apiVersion: db.example.com/v1\nkind: Db\nmetadata: {name: web}\nspec: {hosts: [a, b], size: 1}\n',
    },
    objects: [{ apiVersion: 'db.example.com/v1', kind: 'Db', metadata: { name: 'web' }, spec: { hosts: ['c'] } }],
  },
  {
    name: 'a component, which patches what stands before it',
    files: {
      'kustomization.yaml': 'resources: [web.yaml]\ncomponents: [comp]\nnamePrefix: p-\n',
      'web.yaml': CONFIG,
      'comp/kustomization.yaml':
        'kind: Component\nresources: [more.yaml]\npatches: [{target: {kind: ConfigMap, name: web}, patch: "- {op: add, path: /data/c, value: d}"}]\n',
      'comp/more.yaml': CONFIG.replace('web', 'more'),
    },
    objects: [config('p-web', { data: { a: 'b', c: 'd' } }), config('p-more')],
  },
  {
    name: 'a prefix, which references follow',
    files: {
      'kustomization.yaml': 'resources: [d.yaml, web.yaml, sa.yaml, ns.yaml, crd.yaml]\nnamePrefix: p-\n',
      'd.yaml': web(
        '{serviceAccountName: web, containers: [{name: web, image: a, envFrom: [{configMapRef: {name: web}}, {secretRef: {name: web}}]}]}',
      ),
      'web.yaml': CONFIG,
      'sa.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n',
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n',
      'crd.yaml':
        'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: dbs.example.com}\n',
    },
    objects: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'p-web' },
        spec: {
          template: {
            spec: {
              serviceAccountName: 'p-web',
              containers: [
                {
                  name: 'web',
                  image: 'a',
                  envFrom: [{ configMapRef: { name: 'p-web' } }, { secretRef: { name: 'web' } }],
                },
              ],
            },
          },
        },
      },
      config('p-web'),
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'p-web' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'dbs.example.com' },
      },
    ],
  },
  {
    name: 'a namespace, which objects of the whole cluster do not get',
    files: {
      'kustomization.yaml':
        'resources: [web.yaml, binding.yaml, cluster-binding.yaml, ns.yaml, db.yaml]\nnamespace: prod\n',
      'web.yaml': CONFIG,
      'binding.yaml': rbac('RoleBinding', `subjects: ${SUBJECTS}\n`),
      'cluster-binding.yaml': rbac('ClusterRoleBinding'),
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n',
      'db.yaml': 'apiVersion: db.example.com/v1\nkind: Db\nmetadata: {name: web}\n',
    },
    objects: [
      config('web', { metadata: { name: 'web', namespace: 'prod' } }),
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'web', namespace: 'prod' },
        subjects: [
          { kind: 'ServiceAccount', name: 'default', namespace: 'prod' },
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', name: 'other', namespace: 'z' },
        ],
      },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'web' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'prod' } },
      { apiVersion: 'db.example.com/v1', kind: 'Db', metadata: { name: 'web', namespace: 'prod' } },
    ],
  },
  {
    name: 'a Secret that a folder above adds to',
    files: above(
      'secretGenerator: [{name: key, literals: [k=v, l=w]}]\ngeneratorOptions: {labels: {g: h}}',
      'secretGenerator: [{name: key, behavior: merge, literals: [k=x], options: {annotations: {i: j}, labels: {m: p}}}]',
    ),
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'key', labels: { g: 'h', m: 'p' }, annotations: { i: 'j' } },
        type: 'Opaque',
        stringData: { k: 'x', l: 'w' },
      },
    ],
  },
  {
    name: 'a Secret that a folder above replaces',
    files: above(
      'secretGenerator: [{name: key, type: example.com/a, literals: [k=v, l=w]}]',
      'secretGenerator: [{name: key, behavior: replace, literals: [k=x]}]',
    ),
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'key' },
        type: 'Opaque',
        stringData: { k: 'x' },
      },
    ],
  },
  {
    name: 'a ConfigMap that a folder above adds to, and one that it replaces',
    files: above(
      'configMapGenerator: [{name: c, literals: [k=v, l=w]}, {name: d, literals: [k=v, l=w]}]',
      'configMapGenerator: [{name: c, behavior: merge, literals: [k=x]}, {name: d, behavior: replace, literals: [k=x], options: {labels: {q: r}}}]',
    ),
    objects: [
      config('c', { data: { k: 'x', l: 'w' } }),
      config('d', { metadata: { name: 'd', labels: { q: 'r' } }, data: { k: 'x' } }),
    ],
  },
  {
    name: 'a ConfigMap of files, an env file and literals, whose quotes alone are taken away',
    files: {
      'kustomization.yaml':
        'configMapGenerator: [{name: c, namespace: ns, env: e.env, files: [f.txt, k=f.txt], literals: [\'l="m"\'], options: {labels: {a: b}, annotations: {c: d}}}]\n',
      'e.env': '# no\nA=b\nC="d"\n\nE=f=g\n',
      'f.txt': 'x',
    },
    objects: [
      config('c', {
        metadata: { name: 'c', namespace: 'ns', labels: { a: 'b' }, annotations: { c: 'd' } },
        data: { 'f.txt': 'x', k: 'x', l: 'm', A: 'b', C: '"d"', E: 'f=g' },
      }),
    ],
  },
  {
    name: 'images with new names, tags and digests',
    files: {
      'kustomization.yaml':
        'resources: [d.yaml]\nimages: [{name: nginx, newName: my/nginx}, {name: b, newTag: "1.2"}, {name: "r.io:5000/x/y", digest: "sha256:d"}, {name: t, newTag: "1", digest: "sha256:d"}, {name: z, newName: y}]\n',
      'd.yaml': web(
        `{containers: [${images('nginx:1.29', 'b', 'r.io:5000/x/y@sha256:a', 't:0', 'z@sha256:a', 'other:1')}]}`,
      ),
    },
    objects: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          template: {
            spec: {
              containers: [
                'my/nginx:1.29',
                'b:1.2',
                'r.io:5000/x/y@sha256:d',
                't:1@sha256:d',
                'y@sha256:a',
                'other:1',
              ].map((image, index) => ({ name: `c${index}`, image })),
            },
          },
        },
      },
    ],
  },
  {
    name: 'a patch for a target of another kind',
    files: only(
      'patches:\n- target: {name: "w.*"}\n  patch: |-\n    apiVersion: v1\n    kind: Other\n    metadata: {name: any, labels: {q: r}}\n    data: {c: d}\n',
    ),
    objects: [config('web', { metadata: { name: 'web', labels: { q: 'r' } }, data: { a: 'b', c: 'd' } })],
  },
  {
    name: 'a patch with an end of its document',
    files: { ...only('patches: [{path: p.yaml}]\n'), 'p.yaml': `---\n${CONFIG.replace('a: b', 'c: d')}---\n` },
    objects: [config('web', { data: { a: 'b', c: 'd' } })],
  },
]

describe('a folder of Kustomize in detail', () => {
  for (const { name, files, objects } of CASES) {
    it(`is built as Kustomize builds it: ${name}`, () => {
      const built = buildOf(files)
      expect(built.decided).to.deep.equal([])
      expect(built.objects).to.deep.equal(objects)
    })
  }

  for (const { name, more, decided } of [
    { name: 'common labels in a list', more: 'commonLabels: [a]\n', decided: 'commonLabels: this is not a map' },
    {
      name: 'a component that is not there',
      more: 'components: [comp]\n',
      decided: 'components.0: there is no kustomization.yaml in comp',
    },
    {
      name: 'a literal without a value',
      more: 'configMapGenerator: [{name: c, literals: [abc]}]\n',
      decided: 'configMapGenerator: `abc` is not of the form key=value',
    },
    {
      name: 'a JSON patch without a target',
      more: 'patches: [{patch: "- {op: remove, path: /data}"}]\n',
      decided: 'patches.0: the patch has no target',
    },
    {
      name: 'a JSON patch of what is not there',
      more: 'patches: [{target: {kind: ConfigMap}, patch: "- {op: remove, path: /spec/x}"}]\n',
      decided:
        'patches.0: the patch cannot be applied: remove operation does not apply: doc is missing path: "/spec/x": missing value',
    },
    {
      name: 'a target whose name is no regular expression',
      more: 'patches: [{target: {name: "web["}, patch: "- {op: remove, path: /data}"}]\n',
      decided:
        'patches.0: the name of the target is not a regular expression: error parsing regexp: missing closing ]: `[)$`',
    },
    {
      name: 'a JSON patch of numbers',
      more: 'patches: [{target: {kind: ConfigMap}, patch: "[3]"}]\n',
      decided:
        'patches.0: the patch cannot be applied: error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    },
    {
      name: 'a patch without a name',
      more: 'patches: [{target: {kind: ConfigMap}, patch: "{kind: ConfigMap, data: {c: d}}"}]\n',
      decided: 'patches.0: a patch is a list, or an object with a name',
    },
    {
      name: 'a patch that is text',
      more: 'patches: [{target: {kind: ConfigMap}, patch: text}]\n',
      decided: 'patches.0: a patch is a list, or an object with a name',
    },
    { name: 'labels in a map', more: 'labels: {a: b}\n', decided: 'labels: this is not a list' },
    { name: 'images in a map', more: 'images: {nginx: "1"}\n', decided: 'images: this is not a list' },
    { name: 'replicas in a map', more: 'replicas: {web: 2}\n', decided: 'replicas: this is not a list' },
  ]) {
    it(`is built without what Kustomize refuses: ${name}`, () => {
      expect(buildOf(only(more))).to.deep.equal({ objects: [config('web')], decided: [decided] })
    })
  }
})
