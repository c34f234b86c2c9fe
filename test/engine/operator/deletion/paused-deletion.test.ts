import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - ensure: {apiVersion: v1, kind: Namespace, metadata: {name: "other-\${metadata.name}"}}
`

describe('a paused resource that is deleted', () => {
  it('says that its deletion waits, and goes when it is not paused any more', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    const watches = `- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: ["*"]}}\n`
    try {
      sandbox.run(await projectOf({ widget: ROLE }, watches))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/paused': 'true' } } })
      await sandbox.ready('Paused')
      await sandbox.remove(WIDGET, 'w')
      await sandbox.until(
        () => sandbox.condition('Ready'),
        (ready) => ready?.message === 'paused: deletion waits until rolebook.dev/paused is removed',
      )
      await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/paused': null } } })
      await sandbox.gone(WIDGET, 'w')
    } finally {
      await sandbox.stop()
    }
  })
})
