// The dashboards of infra/monitoring as data: rows of panels, with their queries.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../processes/app.js';

export interface PanelQuery {
  /** A template of labels: `{{service}} {{outcome}}`. */
  readonly legend: string;
  /** PromQL with Grafana's `$__rate_interval`. */
  readonly expr: string;
}

export interface Panel {
  readonly title: string;
  /** Grafana's name of the unit: `reqps`, `s`. */
  readonly unit: string;
  readonly queries: readonly PanelQuery[];
}

export interface DashboardRow {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** The name of its file: `overview`. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly DashboardRow[];
}

interface GrafanaPanel {
  readonly type: string;
  readonly title: string;
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly { readonly legendFormat: string; readonly expr: string }[];
}

const folder = join(projectFolder, 'infra', 'monitoring', 'dashboards');

/** Reads the files that Grafana imports. */
export function readDashboards(): Dashboard[] {
  return readdirSync(folder).map((file) => {
    const { title, panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      title: string;
      panels: GrafanaPanel[];
    };
    return { name: file.replace(/\.json$/, ''), title, rows: rowsIn(panels) };
  });
}

/** A panel of type `row` begins a row. */
function rowsIn(panels: readonly GrafanaPanel[]): DashboardRow[] {
  const rows: { title: string; panels: Panel[] }[] = [];
  for (const { type, title, fieldConfig, targets = [] } of panels)
    if (type === 'row') rows.push({ title, panels: [] });
    else {
      const queries = targets.map(({ legendFormat: legend, expr }) => ({ legend, expr }));
      rows.at(-1)?.panels.push({ title, unit: fieldConfig?.defaults.unit ?? 'short', queries });
    }
  return rows;
}

/** A span of time that Prometheus answers with one value for each step. Times are Unix seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Seconds between two values. */
  readonly step: number;
  /** Seconds between two scrapes. */
  readonly scrape: number;
}

/**
 * The request that answers a query of a panel over a span, as Grafana asks it: rates are taken over four scrapes at least.
 * @returns the path after `/api/v1/`
 */
export function rangePath(expr: string, { start, end, step, scrape }: Span): string {
  const interval = `${Math.max(step + scrape, 4 * scrape)}s`;
  const query = expr.replaceAll('$__rate_interval', interval);
  return `query_range?${new URLSearchParams({ query, start: String(start), end: String(end), step: String(step) })}`;
}

/** A series in the answer to `query_range`: its labels, and its values as text by Unix seconds. */
export interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [time: number, value: string])[];
}
