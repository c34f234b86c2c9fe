import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { ALERTS, type Alert } from './alerts.ts'
import { dashboard } from './dashboard.ts'

const PAGE = 'docs/troubleshooting.md'
const FROM = '# Made by `npm run generate`.\n'

/** The rules of Prometheus, once as a file of rules and once as an object of the Prometheus operator, and the dashboard. */
export function monitoringFiles(): Readonly<Record<string, string>> {
  const spec = { groups: [{ name: 'rolebook', rules: ALERTS.map(ruleOf) }] }
  const object = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'rolebook' },
    spec,
  }
  return {
    'docs/monitoring/alerts.yaml': FROM + printYaml([spec]),
    'docs/monitoring/prometheus-rule.yaml': FROM + printYaml([object]),
    'docs/monitoring/dashboard.json': `${JSON.stringify(dashboard(), undefined, 2)}\n`,
  }
}

/** The table of the page on monitoring. */
export function alertTable(): string {
  const rows = ALERTS.map(
    ({ alert, expr, description, section, ...rule }) =>
      `| [\`${alert}\`](../troubleshooting.md#${section}) | ${rule.severity} | \`${expr.replaceAll('|', '\\|')}\` for ${rule.for} | ${description} |\n`,
  )
  return `| Alert | Severity | When | Meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`
}

function ruleOf({ alert, expr, severity, summary, description, section, ...rule }: Alert) {
  const annotations = { summary, description, runbook: `${PAGE}#${section}` }
  return { alert, expr, for: rule.for, labels: { severity }, annotations }
}
