/** Lines over time. The drawing itself is for the eyes: what matters of it stands beside it in words. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { minuteTime } from '../format.ts';
import { html } from '../html.ts';

export interface ChartLine {
  readonly label: string;
  /** A name of a colour of the palette. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly isFilled?: boolean;
}

const HEIGHT = 150;

export function Chart({
  times,
  lines,
  show,
  label,
}: {
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** A value as it is written at the axis. */
  readonly show: (value: number) => string;
  readonly label: string;
}): ComponentChildren {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | undefined>(undefined);
  const values: uPlot.AlignedData = [times.map((at) => at / 1_000), ...lines.map((line) => [...line.values])];
  /** What is drawn anew in other colours is what is there now. */
  const latest = useRef(values);
  latest.current = values;

  useEffect(() => {
    const target = place.current;
    if (target === null) return;
    const draw = (): void => {
      drawn.current?.destroy();
      drawn.current = new uPlot(toOptions(target.clientWidth, lines, show), latest.current, target);
    };
    draw();
    const sizes = new ResizeObserver(() =>
      drawn.current?.setSize({ width: target.clientWidth, height: HEIGHT }),
    );
    sizes.observe(target);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const look = new MutationObserver(draw);
    look.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      look.disconnect();
      scheme.removeEventListener('change', draw);
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, []);
  useEffect(() => drawn.current?.setData(values), [times, lines]);

  return html`<figure class="chart">
    <figcaption>
      ${lines.map(
        (line) =>
          html`<span key=${line.label}><i class=${`swatch ${line.colour}`} aria-hidden="true"></i>${line.label}</span>`,
      )}
    </figcaption>
    <div ref=${place} role="img" aria-label=${label}></div>
  </figure>`;
}

function toOptions(
  width: number,
  lines: readonly ChartLine[],
  show: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `12px ${style.getPropertyValue('--sans')}`;
  const axis: uPlot.Axis = {
    stroke: colour('muted'),
    font,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 28, 0, 0],
    scales: { x: { time: true }, y: { range: (_self, _low, high) => [0, Math.max(high * 1.15, 1)] } },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        values: (_self, marks) => marks.map((at) => minuteTime(at * 1_000)),
      },
      { ...axis, size: 60, values: (_self, marks) => marks.map(show) },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: colour(line.colour),
        width: 1.75,
        spanGaps: true,
        // Of a single burst there is nothing else to see: a line needs two of them.
        points: { show: line.isFilled !== true, size: 5, fill: colour(line.colour) },
        ...(line.isFilled === true ? { fill: colour(`${line.colour}-soft`) } : {}),
      })),
    ],
  };
}
