import { expect } from 'chai'
import { parse } from 'yaml'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { loadInstallation } from '../../../src/rolebook/cli/load-installation.ts'
import type { Installation } from '../../../src/rolebook/generate/deploy-files.ts'
import { chartFiles } from '../../../src/rolebook/generate/helm/chart-files.ts'
import type { InstallSettings } from '../../../src/rolebook/generate/install-settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeNoteProject } from '../cli/note-project.ts'

const SETTINGS: InstallSettings = { name: 'notes', namespace: 'notes-system', image: 'registry.example.com/notes:1' }

describe('a Helm chart that installs the operator', () => {
  const folder = temporaryFolder()
  let installation: Installation
  before(async () => {
    writeNoteProject(folder.path)
    const places = { watchesFile: folder.at('watches.yaml'), rolesPath: folder.at('roles') }
    const loaded = await loadInstallation({ ...places, environment: {}, kinds: builtinTaskKinds }, SETTINGS)
    if (!loaded.installation) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'))
    installation = loaded.installation
  })
  after(() => folder.remove())

  function textOf(path: string, settings: Partial<InstallSettings> = {}): string {
    const given = { ...installation, settings: { ...SETTINGS, ...settings } }
    const files = chartFiles(given, { version: '1.2.3', appVersion: '4.5.6' })
    return files.find((file) => file.path === path)?.text ?? ''
  }

  it('has the versions of itself and of the program', () => {
    expect(parse(textOf('Chart.yaml'))).to.include({ name: 'notes', version: '1.2.3', appVersion: '4.5.6' })
  })

  const counts = [
    { name: 'two Pods where no number is given', settings: {}, replicas: 2 },
    { name: 'as many Pods as are given', settings: { replicas: 3 }, replicas: 3 },
  ]
  for (const { name, settings, replicas } of counts) {
    it(`has ${name}, which a person who installs it may change`, () => {
      expect(parse(textOf('values.yaml', settings))).to.include({ replicas, image: SETTINGS.image })
      const template = textOf('templates/deployment.yaml', settings)
      expect(template).to.include('replicas: {{ .Values.replicas }}\n')
      expect(template).to.include('image: {{ .Values.image | quote }}\n')
    })
  }
})
