// From panels to the JSON that Grafana imports.

const WIDTH = 24;
const HEIGHT = 8;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The JSON of a dashboard, by its name in `panels.mjs`. */
export function grafanaDashboard(name, { title, rows }) {
  const panels = [];
  let y = 0;
  for (const [rowTitle, ...row] of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: rowTitle,
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
    });
    y += 1;
    const w = Math.floor(WIDTH / Math.min(row.length, 3));
    row.forEach((panel, index) => {
      const place = { x: (index % 3) * w, y: y + Math.floor(index / 3) * HEIGHT, w, h: HEIGHT };
      panels.push({ id: panels.length + 1, ...timeseries(panel), gridPos: place });
    });
    y += Math.ceil(row.length / 3) * HEIGHT;
  }
  return {
    uid: `practice-${name}`,
    title,
    tags: ['practice'],
    schemaVersion: 39,
    refresh: '15s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels,
  };
}

function timeseries([title, unit, ...queries]) {
  return {
    type: 'timeseries',
    title,
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      legendFormat,
      expr,
    })),
  };
}
