import { Module } from '@nestjs/common';
import { DeliveredArchives } from './delivered-archives.js';
import { EndExports } from './end-exports.js';
import { ExportController } from './export.controller.js';
import { ExportPractice } from './export-practice.js';
import { ExportWorkSteps } from './export-work.js';

/** Exports of practices, and the archives that gateways make of them. */
@Module({ controllers: [ExportController], providers: [ExportWorkSteps, DeliveredArchives, EndExports] })
export class ExportsModule {}

export const exportFunctions = [ExportPractice];
