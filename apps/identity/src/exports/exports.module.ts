import { Module } from '@nestjs/common';
import { DeliveredArchives } from './archives.js';
import { ExportPractice } from './export-practice.js';
import { EndExports, ExportWorkSteps } from './export-work.js';
import { ExportController } from './export.controller.js';

/** Exports of practices, and the archives that gateways make of them. */
@Module({ controllers: [ExportController], providers: [ExportWorkSteps, DeliveredArchives, EndExports] })
export class ExportsModule {}

export const exportFunctions = [ExportPractice];
