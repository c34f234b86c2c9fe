import { expect } from 'chai'
import { checkRoleText, type TriedProject } from '../../support/tried-role.ts'
import { offeredFixes } from './fixed-text.ts'

interface Case extends TriedProject {
  readonly name: string
  /** A role with one mistake. */
  readonly role: string
  /** What the first fix makes of the mistake; absent: there is none. */
  readonly fix?: readonly [from: string, to: string]
}

const CASES: readonly Case[] = [
  {
    name: 'a value of a map, and not the map where it is used',
    role: 'vars:\n  labels: {a: "${spec.size}"}\ntasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: "${$labels}"}}\n',
    fix: ['${spec.size}', '${$string(spec.size)}'],
  },
  {
    name: 'no map that an expression makes',
    role: 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: \'${ {"c": spec.size} }\'}}\n',
  },
  {
    name: 'a function of another language',
    role: 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${$substr(metadata.name, 1)}"}}\n',
    fix: ['$substr(', '$substring('],
  },
  {
    name: 'a key of another language',
    role: 'tasks:\n  - if: ${spec.size > 1}\n    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n',
    fix: ['if:', 'when:'],
  },
  {
    name: 'no name of several variables',
    role: 'vars: {a: x}\ntasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${$zzzzzz}", labels: {a: "${$a}"}}}\n',
  },
  {
    name: 'a mount',
    role: `tasks:\n  - ensure: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {volumes: [{name: config, emptyDir: {}}], containers: [{name: a, image: b, volumeMounts: [{name: conf, mountPath: /a}]}]}}\n`,
    fix: ['conf,', 'config,'],
  },
  {
    name: 'a path as a variable of a shell',
    role: 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "a-$metadata.name-0"}}\n',
    fix: ['$metadata.name', '${metadata.name}'],
  },
]

describe('quick fixes of a role with one mistake', function () {
  this.timeout(60_000)

  for (const { name, role, fix, ...project } of CASES) {
    it(name, async () => {
      const [first, ...others] = await checkRoleText(role, project)
      expect(others.map(({ message }) => message)).to.deep.equal([])
      const offered = first ? offeredFixes(role, first).map(({ text }) => text) : []
      expect(offered).to.deep.equal(fix ? [role.replace(...fix)] : [])
      for (const text of offered)
        expect((await checkRoleText(text, project)).map(({ message }) => message)).to.deep.equal([])
    })
  }
})
