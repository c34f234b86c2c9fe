import { CodedError } from '../../core/base/coded-error.ts'

/** Where a chart failed. The first six are Helm's refusals, in its own words; the others are limits of this renderer. */
export type ChartStage =
  | 'chart'
  | 'dependencies'
  | 'capabilities'
  | 'values'
  | 'template'
  | 'manifest'
  | 'time'
  | 'memory'
  | 'depth'
  | 'size'
  | 'lookup'
  | 'engine'

/** A chart that cannot be read or rendered. The same inputs fail the same way, unless its stage is `engine`. */
export class ChartFailure extends CodedError {
  readonly stage: ChartStage

  constructor(stage: ChartStage, message: string, options?: ErrorOptions) {
    super(`chart-${stage}`, message, options)
    this.stage = stage
  }
}
