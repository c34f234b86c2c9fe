/** What a person does with the cluster of the playground, in Chromium, and what the operator does about it. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ProjectTexts } from '../../src/rolebook/playground/protocol.ts'
import { NOTE_PROJECT } from '../rolebook/cli/note-project.ts'
import { PlaygroundPage, workload } from './playground-page.ts'

describe('what a person does with the cluster of the playground', function () {
  this.timeout(600_000)
  const playground = new PlaygroundPage('what a person does with the cluster of the playground')
  const says = (text: string): Promise<void> => playground.says(text)
  const show = (name: string): Promise<void> => playground.show(name)
  const open = (files: ProjectTexts): Promise<void> => playground.open(files)
  let page: Page
  beforeEach(() => {
    page = playground.page
  })

  const write = (text: string) => page.locator('.writes > li').filter({ hasText: text })
  const manifest = () => page.locator('.manifest textarea')

  async function apply(text: string): Promise<void> {
    await show('Apply YAML')
    await manifest().fill(text)
    await show('Apply')
  }

  it('scaling: Pods follow, and the operator puts back what the role says', async () => {
    await open(workload('Deployment', 2))
    await show('Objects')
    await apply(FREE_DEPLOYMENT)
    await says('Applied.')
    await show('Cancel')
    const pods = page.getByRole('button', { name: /^Kill Pod default\/free-/ })
    await show('Scale Deployment default/free up')
    await says('Deployment default/free is scaled to 2.')
    await pods.nth(1).waitFor()
    await show('Scale Deployment default/free down')
    await says('Deployment default/free is scaled to 1.')
    await pods.nth(1).waitFor({ state: 'detached' })
    await show('Scale Deployment default/hello up')
    await show('Writes')
    await write('Deployment default/hello changed by kubectl-scale').filter({ hasText: 'spec.replicas 2 3' }).waitFor()
    await write('Deployment default/hello changed by rolebook').filter({ hasText: 'spec.replicas 3 2' }).waitFor()
  })

  it('applying YAML: a resource, which the operator takes up, and what is refused', async () => {
    await open(NOTE_PROJECT)
    await show('Objects')
    const second = NOTE_PROJECT['roles/note/samples/hello.yaml'].replace('name: hello', 'name: second')
    await apply(second)
    await says('Applied.')
    await page.getByRole('button', { name: 'Delete ConfigMap default/second' }).waitFor()
    await manifest().fill('kind: [\n')
    await show('Apply')
    await says('line 2: ')
    await manifest().fill('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Wrong_Name }\n')
    await show('Apply')
    await says('metadata.name')
    await show('Cancel')
    await show('Resources')
    await page.getByRole('list', { name: 'Resources' }).getByText('default/second').waitFor()
  })

  it('editing by hand: the operator puts it back, and an edit of an older version is refused', async () => {
    await open(NOTE_PROJECT)
    await show('Objects')
    await show('Edit ConfigMap default/hello')
    const text = await manifest().inputValue()
    await manifest().fill(text.replace('good morning', 'nonsense'))
    await show('Save the edit')
    await says('Edited.')
    await show('Writes')
    await write('by kubectl-edit').filter({ hasText: '"good morning" "nonsense"' }).waitFor()
    await write('by rolebook').filter({ hasText: '"nonsense" "good morning"' }).waitFor()
    await show('Objects')
    await show('Edit ConfigMap default/hello')
    await manifest().fill(text.replace('good morning', 'older'))
    await show('Save the edit')
    await says('has been modified')
  })

  it('stopping and moving the clock: what falls due on the way happens', async () => {
    const time = async (): Promise<number> =>
      Date.parse((await page.locator('.controls time').getAttribute('datetime')) ?? '')
    await open(NOTE_PROJECT)
    await show('Objects')
    await apply(cronJobDue(new Date((await time()) + 30 * 60_000)))
    await says('Applied.')
    await show('Stop the clock')
    await says('The clock stands still.')
    await page.evaluate(PAINTED)
    const stopped = await time()
    const timeIs = (milliseconds: number): Promise<void> =>
      page.locator(`.controls time[datetime="${new Date(milliseconds).toISOString()}"]`).waitFor()
    await show('Move the clock 1 min forward')
    await says('The clock was moved 1 min forward.')
    await timeIs(stopped + 60_000)
    const jobs = page.getByRole('button', { name: /^Delete Job default\/tick-/ })
    expect(await jobs.count()).to.equal(0)
    await show('Move the clock 1 h forward')
    await jobs.first().waitFor()
    await timeIs(stopped + 3_660_000)
    await show('Stop the clock')
    await says('The clock runs.')
    await page.locator(`.controls time:not([datetime="${new Date(stopped + 3_660_000).toISOString()}"])`).waitFor()
  })

  it('taking the server away: what was changed meanwhile is put back when it is there again', async () => {
    await open(NOTE_PROJECT)
    await show('Server away')
    await says('does not reach the API server')
    await show('Objects')
    await show('Edit ConfigMap default/hello')
    await manifest().fill((await manifest().inputValue()).replace('good morning', 'nonsense'))
    await show('Save the edit')
    await says('Edited.')
    await show('Move the clock 1 min forward')
    await show('Writes')
    await write('by kubectl-edit').waitFor()
    expect(await write('"nonsense" "good morning"').count()).to.equal(0)
    await show('Server away')
    await says('reaches the API server again')
    await show('Move the clock 1 min forward')
    await write('by rolebook').filter({ hasText: '"nonsense" "good morning"' }).waitFor()
  })
})

/** Resolves when the page shows what it has been given. */
const PAINTED = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

/** It belongs to no resource. */
const FREE_DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: free }
spec:
  replicas: 1
  selector: { matchLabels: { app: free } }
  template:
    metadata: { labels: { app: free } }
    spec: { containers: [{ name: server, image: "nginx:1" }] }
`

/** Once an hour, in the minute of that time. */
function cronJobDue(at: Date): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata: { name: tick }
spec:
  schedule: "${at.getUTCMinutes()} * * * *"
  jobTemplate:
    spec:
      template:
        spec: { restartPolicy: Never, containers: [{ name: tick, image: "busybox:1" }] }
`
}
