import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One setting of the service, by name. */
@Entity('setting')
export class Setting {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'jsonb' }) value!: unknown;
}
