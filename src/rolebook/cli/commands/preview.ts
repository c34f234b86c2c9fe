import { systemClock } from '../../../core/base/clock.ts'
import { watchProject } from '../../config/project-watcher.ts'
import type { Command } from '../command.ts'
import { newLogger } from '../new-logger.ts'
import { projectOptions } from '../open-project.ts'
import { logOptions, PROJECT_OPTIONS } from '../options.ts'
import { followPreview } from '../preview/follow-preview.ts'
import { newPreviewView } from '../preview/new-preview-view.ts'
import { EXIT } from '../terminal.ts'

export const previewCommand: Command = {
  name: 'preview',
  summary: 'show what a role makes of a sample, live while you edit',
  description:
    'Renders a sample of a role as `rolebook render` does, and again after each change of the project. On a terminal it shows ' +
    'what the last edit has changed, field by field, above the objects and the status; in a pipe it prints the objects once and ' +
    'then what each edit has changed. While the project has a mistake, the mistake is shown and the last preview stays. ' +
    'No cluster is touched. q or Ctrl-C ends it.',
  arguments: '[role]',
  options: [
    ...PROJECT_OPTIONS,
    {
      flags: '--sample <file>',
      description: 'a sample of the role: its file, or the name of a resource in it (the first file)',
    },
    ...logOptions('error'),
  ],
  examples: ['rolebook preview', 'rolebook preview memcached', 'rolebook preview memcached --sample memcached.yaml'],
  async run(invocation) {
    const { terminal, files, text } = invocation
    const project = projectOptions(invocation)
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const results = watchProject({ ...project, clock: systemClock, signal: terminal.stopped })
    const choice = { role: files[0], sample: text('sample'), rolesPath: project.rolesPath }
    const view = newPreviewView(terminal)
    try {
      await followPreview(results, { ...choice, view, terminal, logger })
      return EXIT.ok
    } finally {
      view.stop()
    }
  },
}
