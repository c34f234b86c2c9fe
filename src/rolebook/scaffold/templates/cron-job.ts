import { labelsTask, lastSteps, namesIn, type RoleTemplate } from './role-template.ts'

export const cronJob: RoleTemplate = {
  summary: 'work at fixed times, such as a backup',
  tasks: ({ singular }) => `${labelsTask(singular)}
- name: CronJob
  ensure:
    apiVersion: batch/v1
    kind: CronJob
    metadata:
      name: \${metadata.name}
      labels: \${$labels}
    spec:
      schedule: \${spec.schedule}
      suspend: \${spec.suspend}
      concurrencyPolicy: Forbid
      jobTemplate:
        spec:
          backoffLimit: 2
          template:
            metadata: { labels: "\${$labels}" }
            spec:
              restartPolicy: Never
              containers:
                - name: ${singular}
                  image: \${spec.image}
                  command: [sh, -c, echo done]
  register: cronJob

- name: When it ran last
  when: \${$exists($cronJob.status.lastScheduleTime)}
  status:
    lastScheduleTime: \${$cronJob.status.lastScheduleTime}
`,
  required: ['image', 'schedule'],
  spec: `image:
  description: The image that runs.
  type: string
  minLength: 1
schedule:
  description: When it runs, as cron writes it, such as "0 3 * * *".
  type: string
  minLength: 1
suspend:
  description: Whether it rests.
  type: boolean
  default: false
`,
  status: `lastScheduleTime:
  description: When it ran last.
  type: string
  format: date-time
`,
  sample: `image: busybox:1.37
schedule: "0 3 * * *"
`,
  test(words) {
    const { singular } = words
    const names = namesIn(words, { apiVersion: 'batch/v1', kind: 'CronJob' })
    const { resource, workload } = names
    return `- name: creation
  expect:
    - ${workload.replaceAll(', ', '\n      ')}
      spec: { schedule: 0 3 * * *, suspend: false }
    - ${resource.replaceAll(', ', '\n      ')}
      status: { conditions: [{ type: Ready, status: "True" }] }

- name: it runs once a day
  advance: 24h
  expect:
    - { apiVersion: batch/v1, kind: Job, name: { matches: "^${singular}-sample-" }, status: { succeeded: 1 } }
    - { ${resource}, status: { lastScheduleTime: { matches: T03:00:00 } } }

- name: it rests
  patch: { ${resource}, spec: { suspend: true } }
  expect:
    - { ${workload}, spec: { suspend: true } }

${lastSteps(names)}`
  },
}
