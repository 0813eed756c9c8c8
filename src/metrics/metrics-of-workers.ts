/**
 * The metrics of all workers, added up by the process that has started them. What a worker had counted when it was
 * asked last stays when it ends: else totals would go down, which Prometheus takes for a new start that has counted all
 * of the rest.
 */
import cluster, { type Worker } from 'node:cluster';
import prometheus, { type MetricObject } from 'prom-client';

const { AggregatorRegistry } = prometheus;

/** By the library; of each registry of the worker. */
interface MetricsMessage {
  readonly type?: string;
  readonly metrics?: readonly MetricObject[][];
}

export function metricsOfWorkers(): () => Promise<string> {
  const latest = new Map<number, readonly MetricObject[]>();
  let ofEnded: readonly MetricObject[] = [];
  cluster.on('message', ({ id }: Worker, { type, metrics }: MetricsMessage) => {
    if (type === 'prom-client:getMetricsRes' && metrics && cluster.workers?.[id]) latest.set(id, metrics.flat());
  });
  const workers = new AggregatorRegistry();
  const read = async (): Promise<string> => {
    await workers.clusterMetrics();
    const ended = [...latest.keys()].filter((id) => !cluster.workers?.[id]);
    const counted = ended.map((id) => latest.get(id)!.filter(isCounted));
    for (const id of ended) latest.delete(id);
    const running = [...latest.values()];
    if (ended.length > 0) ofEnded = await addedUp([ofEnded, ...counted]).getMetricsAsJSON();
    return addedUp([...running, ofEnded]).metrics();
  };
  // Whoever asks meanwhile is answered along.
  let reading: Promise<string> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

const addedUp = (metrics: readonly (readonly MetricObject[])[]) => AggregatorRegistry.aggregate([...metrics]);

/** All else tells how things are, not what has happened. */
const isCounted = ({ type }: MetricObject): boolean => ['counter', 'histogram'].includes(String(type));
