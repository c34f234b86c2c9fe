/** What the editor of the playground has of the language server, in Chromium. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ProjectTexts } from '../../src/rolebook/playground/protocol.ts'
import { NOTE_PROJECT } from '../rolebook/cli/note-project.ts'
import { PlaygroundPage, NOTE_ROLE as ROLE } from './playground-page.ts'

describe('the editor of the playground in a browser', function () {
  this.timeout(600_000)
  const playground = new PlaygroundPage('the editor of the playground')
  const says = (text: string): Promise<void> => playground.says(text)
  const show = (name: string): Promise<void> => playground.show(name)
  const open = (files: ProjectTexts): Promise<void> => playground.open(files)
  let page: Page
  beforeEach(() => {
    page = playground.page
  })

  const VARIABLE: ProjectTexts = {
    ...NOTE_PROJECT,
    'watches.yaml': '- {group: example.com, version: v1, kind: Note, role: note, vars: {greeting: hello}}\n',
    [ROLE]: NOTE_PROJECT[ROLE].replace('${spec.text}', '${$greeting}'),
  }
  const variable = () => page.locator('.cm-line span').filter({ hasText: '$greeting' }).last()
  const selected = () => page.evaluate<string>(SELECTED_TEXT)

  it('goes to where a name comes from, by F12, by a click and by the button', async () => {
    await open(VARIABLE)
    const ways = [
      () => page.keyboard.press('F12'),
      () => show('Go to definition'),
      () => variable().click({ modifiers: ['Control'] }),
    ]
    for (const way of ways) {
      await page.getByRole('button', { name: ROLE, exact: true }).click()
      await variable().click()
      await way()
      await page.getByRole('textbox', { name: 'Text of watches.yaml' }).waitFor()
      expect(await selected()).to.equal('greeting')
    }
    await page.keyboard.press('Home')
    await show('Go to definition')
    await says('cannot go to a definition')
  })

  it('renames a variable in all files, and can undo it', async () => {
    await open(VARIABLE)
    await variable().click()
    await page.keyboard.press('F2')
    const name = page.getByRole('textbox', { name: 'New name of greeting' })
    await name.fill('now')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'cannot rename: `$now` is a function' }).waitFor()
    expect(await playground.violations()).to.deep.equal([])
    await name.fill('welcome')
    await page.keyboard.press('Enter')
    await says('welcome is the new name, in 2 places. The change is used.')
    expect(await playground.text()).to.include('${$welcome}')
    expect(await selected()).to.equal('welcome')
    await page.keyboard.press('Control+Z')
    expect(await playground.text(), 'undone').to.equal(VARIABLE[ROLE])
    await page.keyboard.press('Control+Y')
    await says('The change is used.')
    await page.getByRole('button', { name: 'watches.yaml', exact: true }).click()
    await page.locator('.cm-line').filter({ hasText: 'welcome: hello' }).waitFor()
  })

  it('does what a mistake proposes, by a key and by a button', async () => {
    await open(NOTE_PROJECT)
    for (const way of [() => page.keyboard.press('Control+.'), () => show('Replace with ensure')]) {
      await page.getByRole('textbox', { name: `Text of ${ROLE}` }).click()
      await playground.write(NOTE_PROJECT[ROLE].replace('ensure', 'ensur'))
      await page.getByRole('button', { name: 'Replace with ensure' }).first().waitFor()
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('F8')
      expect(await playground.violations()).to.deep.equal([])
      await way()
      await says('Replace with ensure: done. The change is used.')
      expect(await playground.text()).to.equal(NOTE_PROJECT[ROLE])
      await page.getByText('No mistakes found.').waitFor()
    }
  })
})

/** What is selected in the editor, in its shadow tree. */
const SELECTED_TEXT = "String(document.querySelector('.editor').shadowRoot.getSelection())"
