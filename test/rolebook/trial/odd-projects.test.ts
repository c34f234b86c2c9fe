import { expect } from 'chai'
import { checkRoleText, type TriedProject, webCrd } from '../../support/tried-role.ts'

interface Case {
  readonly name: string
  readonly tasks: string
  readonly project: TriedProject
  /** The findings, each as `RB1801 2:5 message`. */
  readonly finds: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'what a rule of a CRD says of an object as a whole',
    tasks: '  - ensure: {apiVersion: example.com/v1, kind: Web, metadata: {name: other}, spec: {size: 3}}\n',
    project: {
      crd: webCrd().replace(
        'required: [spec]\n',
        'required: [spec]\n          x-kubernetes-validations: [{rule: "self.spec.size != 3", message: no three}]\n',
      ),
    },
    finds: ['RB1801 2:5 task "ensure (task 1)": a server refuses the object: Invalid value: no three'],
  },
]

describe('the trial of an odd project', function () {
  this.timeout(60_000)

  for (const { name, tasks, project, finds } of CASES) {
    it(`finds ${name}`, async () => {
      const found = await checkRoleText(`tasks:\n${tasks}`, project)
      expect(found.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)).to.deep.equal(
        finds,
      )
    })
  }
})
