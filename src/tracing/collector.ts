/**
 * Sends spans to a collector, behind the requests. What it does not take in time is dropped: so many spans are kept at
 * most, and one batch is under way.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracingConfig } from '../config/tracing.js';
import { version } from '../runtime/version.js';

export function collectorOf(config: TracingConfig, logger: Logger): TracerProvider {
  const { url, serviceName, queue, batch, delayMs } = config;
  // Headers, certificates, compression and the time-out are read from the environment by the exporter itself.
  const exporter = complaining(new OTLPTraceExporter({ url, concurrencyLimit: 4 }), logger);
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }));
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: queue,
    maxExportBatchSize: batch,
    scheduledDelayMillis: delayMs,
  });
  return new TracerProvider({ resource, sampler: samplerOf(config), spanProcessors: [processor] });
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, parent, name] = /^(parentbased_)?(.*)$/.exec(sampler)!;
  const root = roots[name!]!();
  return parent ? new ParentBasedSampler({ root }) : root;
}

const oneComplaintMs = 60_000;

/** One line a minute at most while the collector takes nothing. */
function complaining(exporter: SpanExporter, logger: Logger): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - complainedAt >= oneComplaintMs) {
          complainedAt = performance.now();
          logger.warn({ cause: result.error.message || result.error.name }, 'Traces cannot be sent to the collector.');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
