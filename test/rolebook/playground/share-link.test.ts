import { deflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { exampleFragment, exampleOf, fromFragment, toFragment } from '../../../src/rolebook/playground/share-link.ts'

function fragmentOf(value: unknown): string {
  return `#project=${deflateRawSync(JSON.stringify(value)).toString('base64url')}`
}

async function failureOf(fragment: string): Promise<string> {
  return fromFragment(fragment).then(
    () => 'it was opened',
    ({ message }: Error) => message,
  )
}

describe('a link to a project', () => {
  it('holds all files', async () => {
    const files = { 'watches.yaml': '[]\n', 'roles/web/role.yaml': 'tasks: []\n# ä€😀\n' }
    expect(await fromFragment(`#${await toFragment(files)}`)).to.deep.equal(files)
  })

  it('is none when the fragment is about something else', async () => {
    expect(await fromFragment('#/')).to.equal(undefined)
  })

  it('is not made of a project that is too large', async () => {
    const noise = Array.from({ length: 14_000 }, (_, index) => (index * 7_919 * 104_729).toString(36)).join('')
    expect(await toFragment({ 'watches.yaml': noise }).catch(({ message }: Error) => message)).to.match(
      /^cannot make a link: the project takes \d+ characters, more than 65536$/,
    )
  })

  const refused = [
    { name: 'text that is not packed', fragment: '#project=AAAA', cause: 'it is damaged, or too large' },
    { name: 'text that is no base64', fragment: '#project=%%%%', cause: 'it is damaged, or too large' },
    { name: 'a text that is too long', fragment: `#project=${'A'.repeat(65_537)}`, cause: 'it is too long' },
    {
      name: 'a short text that unpacks to a long one',
      fragment: fragmentOf({ 'watches.yaml': ' '.repeat(2 ** 21) }),
      cause: 'it is damaged, or too large',
    },
    { name: 'a list', fragment: fragmentOf([]), cause: 'it is not a project' },
    {
      name: 'a file that is not a text',
      fragment: fragmentOf({ 'watches.yaml': 1 }),
      cause: 'watches.yaml is not a text',
    },
    {
      name: 'a path that leads out',
      fragment: fragmentOf({ '../watches.yaml': '' }),
      cause: 'a file has a name that cannot be used',
    },
    {
      name: 'too many files',
      fragment: fragmentOf(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, '']))),
      cause: 'it has more than 200 files',
    },
  ]
  for (const { name, fragment, cause } of refused) {
    it(`refuses ${name}`, async () => {
      expect(await failureOf(fragment)).to.equal(`cannot open the project of the link: ${cause}`)
    })
  }
})

describe('a link to an example', () => {
  const names = ['01-config-hash', 'role memcached']

  for (const name of names) {
    it(`opens it: ${name}`, () => expect(exampleOf(`#${exampleFragment(name)}`, names)).to.equal(name))
  }

  for (const fragment of ['', '#', '#project=AAAA', '#examples=01-config-hash']) {
    it(`is none: "${fragment}"`, () => expect(exampleOf(fragment, names)).to.equal(undefined))
  }

  for (const fragment of ['#example=', '#example=02-other', '#example=%E0%A4%A', `#example=${'a'.repeat(100_000)}`]) {
    it(`is refused when the page has no such example: ${fragment.slice(0, 20)}`, () => {
      expect(() => exampleOf(fragment, names)).to.throw(/^cannot open the example of the link: the page has none/)
    })
  }
})
