import { expect } from 'chai'
import { valueComments } from '../../../src/rolebook/scaffold/value-comments.ts'

describe('comments in the values of a chart', () => {
  for (const { name, text, expected } of [
    { name: 'stand above a value', text: '# How many.\nreplicas: 1\n', expected: { replicas: 'How many.' } },
    { name: 'may have several lines', text: '# How\n# many.\nreplicas: 1\n', expected: { replicas: 'How many.' } },
    {
      name: 'are of the value below another',
      text: 'a:\n  # The port.\n  port: 1\nb: 2\n',
      expected: { 'a.port': 'The port.' },
    },
    {
      name: 'are marked as helm-docs does',
      text: '# Other.\n# -- (int) The port.\nport: 1\n',
      expected: { port: 'The port.' },
    },
    {
      name: 'are marked as the charts of Bitnami do',
      text: '## @param port [int] The port.\n##\nport: 1\n',
      expected: { port: 'The port.' },
    },
    { name: 'end at an empty line', text: '# About all.\n\nport: 1\n', expected: {} },
    { name: 'are no values that are left out', text: '# cpu: 1\n# - a\nport: 1\n', expected: {} },
  ]) {
    it(name, () => {
      expect(Object.fromEntries(valueComments(text))).to.deep.equal(expected)
    })
  }
})
