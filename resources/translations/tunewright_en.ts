<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n builds</source>
        <translation>
            <numerusform>%n build</numerusform>
            <numerusform>%n builds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clusters of several tasks</source>
        <translation>
            <numerusform>%n cluster of several tasks</numerusform>
            <numerusform>%n clusters of several tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal lines</source>
        <translation>
            <numerusform>%n equal line</numerusform>
            <numerusform>%n equal lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n groups</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n groups side by side</source>
        <translation>
            <numerusform>%n group side by side</numerusform>
            <numerusform>%n groups side by side</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kernels together take {sum}, each by itself; the whole takes {whole}.</source>
        <translation>
            <numerusform>%n kernel takes {sum} by itself; the whole takes {whole}.</numerusform>
            <numerusform>%n kernels together take {sum}, each by itself; the whole takes {whole}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measurements</source>
        <translation>
            <numerusform>%n measurement</numerusform>
            <numerusform>%n measurements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n neighbours tried</source>
        <translation>
            <numerusform>%n neighbour tried</numerusform>
            <numerusform>%n neighbours tried</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operators merged into one</source>
        <translation>
            <numerusform>%n operator merged into one</numerusform>
            <numerusform>%n operators merged into one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs</source>
        <translation>
            <numerusform>%n pair</numerusform>
            <numerusform>%n pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n schedules</source>
        <translation>
            <numerusform>%n schedule</numerusform>
            <numerusform>%n schedules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n searches</source>
        <translation>
            <numerusform>%n search</numerusform>
            <numerusform>%n searches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sets</source>
        <translation>
            <numerusform>%n set</numerusform>
            <numerusform>%n sets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stages</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stages to measure</source>
        <translation>
            <numerusform>%n stage to measure</numerusform>
            <numerusform>%n stages to measure</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks</source>
        <translation>
            <numerusform>%n task</numerusform>
            <numerusform>%n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks on their own</source>
        <translation>
            <numerusform>%n task on its own</numerusform>
            <numerusform>%n tasks on their own</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks. Press Start (F5) to tune.</source>
        <translation>
            <numerusform>%n task. Press Start (F5) to tune.</numerusform>
            <numerusform>%n tasks. Press Start (F5) to tune.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trials</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Copy %n rows</source>
        <translation>
            <numerusform>&amp;Copy %n row</numerusform>
            <numerusform>&amp;Copy %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Comparing the design spaces of %n tasks …</source>
        <translation>
            <numerusform>Comparing the design space of %n task …</numerusform>
            <numerusform>Comparing the design spaces of %n tasks …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Laying out %n nodes…</source>
        <translation>
            <numerusform>Laying out %n node…</numerusform>
            <numerusform>Laying out %n nodes…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Looking at the design spaces of %n tasks …</source>
        <translation>
            <numerusform>Looking at the design space of %n task …</numerusform>
            <numerusform>Looking at the design spaces of %n tasks …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opened {path}: %n tasks.</source>
        <translation>
            <numerusform>Opened {path}: %n task.</numerusform>
            <numerusform>Opened {path}: %n tasks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replayed %n trials of {model}, recorded on {device}.</source>
        <translation>
            <numerusform>Replayed %n trial of {model}, recorded on {device}.</numerusform>
            <numerusform>Replayed %n trials of {model}, recorded on {device}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last run was interrupted after %n trials; all are kept.</source>
        <translation>
            <numerusform>The last run was interrupted after %n trial; it is kept.</numerusform>
            <numerusform>The last run was interrupted after %n trials; all are kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at least %n slots</source>
        <translation>
            <numerusform>at least %n slot</numerusform>
            <numerusform>at least %n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>finished: %n trials without improvement</source>
        <translation>
            <numerusform>finished: %n trial without improvement</numerusform>
            <numerusform>finished: %n trials without improvement</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>on %n cores</source>
        <translation>
            <numerusform>on %n core</numerusform>
            <numerusform>on %n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>representative of %n tasks</source>
        <translation>
            <numerusform>representative of %n task</numerusform>
            <numerusform>representative of %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for %n cores</source>
        <translation>
            <numerusform>waits for %n core</numerusform>
            <numerusform>waits for %n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{task} and %n more</source>
        <translation>
            <numerusform>{task} and %n more</numerusform>
            <numerusform>{task} and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{time}   + %n more</source>
        <translation>
            <numerusform>{time}   + %n more</numerusform>
            <numerusform>{time}   + %n more</numerusform>
        </translation>
    </message>
</context>
</TS>
