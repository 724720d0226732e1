<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source> ({said})</source>
        <translation> ({said})</translation>
    </message>
    <message>
        <source> above {least:g}</source>
        <translation> über {least:g}</translation>
    </message>
    <message>
        <source> above {least:g}, up to {most}</source>
        <translation> über {least:g}, höchstens {most}</translation>
    </message>
    <message>
        <source> from {least:g} to {most}</source>
        <translation> von {least:g} bis {most}</translation>
    </message>
    <message>
        <source> of {least:g} or more</source>
        <translation> ab {least:g}</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message numerus="yes">
        <source>%n builds</source>
        <translation>
            <numerusform>%n Build</numerusform>
            <numerusform>%n Builds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clusters of several tasks</source>
        <translation>
            <numerusform>%n Cluster aus mehreren Tasks</numerusform>
            <numerusform>%n Cluster aus mehreren Tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal lines</source>
        <translation>
            <numerusform>%n gleiche Zeile</numerusform>
            <numerusform>%n gleiche Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n groups</source>
        <translation>
            <numerusform>%n Gruppe</numerusform>
            <numerusform>%n Gruppen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n groups side by side</source>
        <translation>
            <numerusform>%n Gruppe nebeneinander</numerusform>
            <numerusform>%n Gruppen nebeneinander</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n Job</numerusform>
            <numerusform>%n Jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kernels together take {sum}, each by itself; the whole takes {whole}.</source>
        <translation>
            <numerusform>%n Kern braucht für sich {sum}; das Ganze braucht {whole}.</numerusform>
            <numerusform>%n Kerne brauchen zusammen {sum}, jeder für sich; das Ganze braucht {whole}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measurements</source>
        <translation>
            <numerusform>%n Messung</numerusform>
            <numerusform>%n Messungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n Modell</numerusform>
            <numerusform>%n Modellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n neighbours tried</source>
        <translation>
            <numerusform>%n Nachbar versucht</numerusform>
            <numerusform>%n Nachbarn versucht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operators merged into one</source>
        <translation>
            <numerusform>%n Operator zu einem zusammengelegt</numerusform>
            <numerusform>%n Operatoren zu einem zusammengelegt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs</source>
        <translation>
            <numerusform>%n Paar</numerusform>
            <numerusform>%n Paare</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n schedules</source>
        <translation>
            <numerusform>%n Schedule</numerusform>
            <numerusform>%n Schedules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n searches</source>
        <translation>
            <numerusform>%n Suche</numerusform>
            <numerusform>%n Suchen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sets</source>
        <translation>
            <numerusform>%n Menge</numerusform>
            <numerusform>%n Mengen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <translation>
            <numerusform>%n Slot</numerusform>
            <numerusform>%n Slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stages</source>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stages to measure</source>
        <translation>
            <numerusform>%n Stufe zu messen</numerusform>
            <numerusform>%n Stufen zu messen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n Schritt</numerusform>
            <numerusform>%n Schritten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks</source>
        <translation>
            <numerusform>%n Task</numerusform>
            <numerusform>%n Tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks on their own</source>
        <translation>
            <numerusform>%n Task allein</numerusform>
            <numerusform>%n Tasks allein</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tasks. Press Start (F5) to tune.</source>
        <translation>
            <numerusform>%n Task. Mit Start (F5) beginnt das Tuning.</numerusform>
            <numerusform>%n Tasks. Mit Start (F5) beginnt das Tuning.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trials</source>
        <translation>
            <numerusform>%n Versuch</numerusform>
            <numerusform>%n Versuche</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Add files…</source>
        <translation>&amp;Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;At least</source>
        <translation>&amp;Mindestens</translation>
    </message>
    <message>
        <source>&amp;Belief</source>
        <translation>A&amp;nnahme</translation>
    </message>
    <message>
        <source>&amp;Budget</source>
        <translation>Bud&amp;get</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>&amp;Liste leeren</translation>
    </message>
    <message>
        <source>&amp;Close project</source>
        <translation>Projekt s&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Continue last run</source>
        <translation>Letzten Lauf &amp;fortsetzen</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Copy %n rows</source>
        <translation>
            <numerusform>%n Zeile &amp;kopieren</numerusform>
            <numerusform>%n Zeilen &amp;kopieren</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Copy all rows</source>
        <translation>Alle Zeilen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy picture or rows</source>
        <translation>Bild oder Zeilen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>&amp;Droplet…</source>
        <translation>&amp;Droplet…</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Find clusters</source>
        <translation>&amp;Cluster suchen</translation>
    </message>
    <message>
        <source>&amp;Find stages</source>
        <translation>Stufen &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Fit graph</source>
        <translation>Graph &amp;einpassen</translation>
    </message>
    <message>
        <source>&amp;Follow</source>
        <translation>&amp;Folgen</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>We&amp;iter</translation>
    </message>
    <message>
        <source>&amp;Guided first run</source>
        <translation>&amp;Geführter erster Lauf</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Help on this part</source>
        <translation>&amp;Hilfe zu diesem Teil</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>&amp;Tastenkürzel…</translation>
    </message>
    <message>
        <source>&amp;Locate model…</source>
        <translation>&amp;Modell suchen…</translation>
    </message>
    <message>
        <source>&amp;Log tasks</source>
        <translation>&amp;Tasks log</translation>
    </message>
    <message>
        <source>&amp;Logarithmic latency</source>
        <translation>&amp;Logarithmische Latenz</translation>
    </message>
    <message>
        <source>&amp;Move to cluster of</source>
        <translation>In den &amp;Cluster von</translation>
    </message>
    <message>
        <source>&amp;Name and note of the task</source>
        <translation>&amp;Name und Notiz des Tasks</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>&amp;Notify when work ends</source>
        <translation>&amp;Melden, wenn Arbeit endet</translation>
    </message>
    <message>
        <source>&amp;Once more…</source>
        <translation>&amp;Noch einmal…</translation>
    </message>
    <message>
        <source>&amp;Open model…</source>
        <translation>Modell &amp;öffnen…</translation>
    </message>
    <message>
        <source>&amp;Own cluster</source>
        <translation>&amp;Eigener Cluster</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Pin the open project</source>
        <translation>Offenes Projekt an&amp;heften</translation>
    </message>
    <message>
        <source>&amp;Pin: slots go here first</source>
        <translation>&amp;Anheften: Slots gehen zuerst hierher</translation>
    </message>
    <message>
        <source>&amp;Precision</source>
        <translation>&amp;Genauigkeit</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Read how it works</source>
        <translation>&amp;Lesen, wie es geht</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Redo {edit}</source>
        <translation>&amp;Wiederholen: {edit}</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>Anordnung zurü&amp;cksetzen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>&amp;Speichern unter…</translation>
    </message>
    <message>
        <source>&amp;Save picture or table…</source>
        <translation>Bild oder Tabelle &amp;speichern…</translation>
    </message>
    <message>
        <source>&amp;Skip: no slots</source>
        <translation>Au&amp;slassen: keine Slots</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>&amp;Stop now: jobs under way go on next time</source>
        <translation>&amp;Jetzt beenden: laufende Jobs gehen nächstes Mal weiter</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Target</translation>
    </message>
    <message>
        <source>&amp;Title and note of the project</source>
        <translation>&amp;Titel und Notiz des Projekts</translation>
    </message>
    <message>
        <source>&amp;Trials across</source>
        <translation>&amp;Versuche waagerecht</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Undo {edit}</source>
        <translation>&amp;Rückgängig: {edit}</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>&amp;Auf</translation>
    </message>
    <message>
        <source>&amp;Use these results</source>
        <translation>Diese Ergebnisse &amp;verwenden</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Which stage starts</source>
        <translation>&amp;Welcher Abschnitt beginnt</translation>
    </message>
    <message>
        <source>&apos;{dim}&apos; (axis {axis})</source>
        <translation>&apos;{dim}&apos; (Achse {axis})</translation>
    </message>
    <message>
        <source>&apos;{key}&apos; comes twice.</source>
        <translation>&apos;{key}&apos; kommt zweimal vor.</translation>
    </message>
    <message>
        <source>&apos;{number}&apos; is no number of trials.</source>
        <translation>&apos;{number}&apos; ist keine Anzahl von Versuchen.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a shape.</source>
        <translation>&apos;{text}&apos; ist keine Form.</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a value.</source>
        <translation>&apos;{text}&apos; ist kein Wert.</translation>
    </message>
    <message>
        <source>+ {count} more</source>
        <translation>+ {count} weitere</translation>
    </message>
    <message>
        <source>, at {time} a slot</source>
        <translation>, bei {time} je Slot</translation>
    </message>
    <message>
        <source>, for it takes {times:.1f} times as long as its peers</source>
        <translation>, denn er braucht {times:.1f}-mal so lange wie seinesgleichen</translation>
    </message>
    <message>
        <source>; drawn by lot, to explore</source>
        <translation>; ausgelost, um zu erkunden</translation>
    </message>
    <message>
        <source>; drawn with probability {p:.2g}</source>
        <translation>; gezogen mit Wahrscheinlichkeit {p:.2g}</translation>
    </message>
    <message>
        <source>; task {task} promises more, but is better known</source>
        <translation>; Task {task} verspricht mehr, ist aber besser bekannt</translation>
    </message>
    <message>
        <source>A &amp;model file…</source>
        <translation>Eine &amp;Modelldatei…</translation>
    </message>
    <message>
        <source>A CPU has no tensor cores, which {precision} is computed by.</source>
        <translation>Eine CPU hat keine Tensorkerne, mit denen {precision} gerechnet wird.</translation>
    </message>
    <message>
        <source>A CPU has no tensor cores: its models are computed in float32.</source>
        <translation>Eine CPU hat keine Tensorkerne: Ihre Modelle werden in float32 gerechnet.</translation>
    </message>
    <message>
        <source>A block too large to search whole is cut where no stage may span</source>
        <translation>Ein Block, der für eine ganze Suche zu groß ist, wird zerlegt, wo keine Stufe hinüberreicht</translation>
    </message>
    <message>
        <source>A budget</source>
        <translation>Ein Budget</translation>
    </message>
    <message>
        <source>A copy that is saved elsewhere can be tuned.</source>
        <translation>Eine Kopie an einem anderen Ort kann getunt werden.</translation>
    </message>
    <message>
        <source>A copy that is saved here can be tuned here.</source>
        <translation>Eine hier gespeicherte Kopie kann hier getunt werden.</translation>
    </message>
    <message>
        <source>A device is listed twice.</source>
        <translation>Ein Gerät ist zweimal genannt.</translation>
    </message>
    <message>
        <source>A file&apos;s name cannot hold a null character.</source>
        <translation>Ein Dateiname kann kein Nullzeichen enthalten.</translation>
    </message>
    <message>
        <source>A first call so many times slower than the best is enough</source>
        <translation>Ein erster Aufruf, der so viel Mal langsamer als der beste ist, genügt</translation>
    </message>
    <message>
        <source>A gain of more than this at once starts a new segment; 0: none does</source>
        <translation>Ein größerer Gewinn auf einmal beginnt einen neuen Abschnitt; 0: keiner</translation>
    </message>
    <message>
        <source>A job has the machine until it has ended</source>
        <translation>Ein Job hat den Rechner, bis er beendet ist</translation>
    </message>
    <message>
        <source>A job needs a model or a project.</source>
        <translation>Ein Job braucht ein Modell oder ein Projekt.</translation>
    </message>
    <message>
        <source>A judgement</source>
        <translation>Ein Urteil</translation>
    </message>
    <message>
        <source>A knob against latency</source>
        <translation>Ein Regler gegen die Latenz</translation>
    </message>
    <message>
        <source>A later run of a project knew what the earlier ones had measured.</source>
        <translation>Einem späteren Lauf eines Projekts war bekannt, was die früheren gemessen hatten.</translation>
    </message>
    <message>
        <source>A link to the outside</source>
        <translation>Ein Link nach außen</translation>
    </message>
    <message>
        <source>A lower number is more urgent</source>
        <translation>Eine kleinere Zahl ist dringender</translation>
    </message>
    <message>
        <source>A measurement</source>
        <translation>Eine Messung</translation>
    </message>
    <message>
        <source>A measurement is given up after so long</source>
        <translation>Nach so langer Zeit wird eine Messung aufgegeben</translation>
    </message>
    <message>
        <source>A message of the desktop after more than ten seconds, where another window is in front</source>
        <translation>Eine Meldung des Desktops nach mehr als zehn Sekunden, wenn ein anderes Fenster vorn ist</translation>
    </message>
    <message>
        <source>A message of the desktop where the window is not in front</source>
        <translation>Eine Meldung des Desktops, wenn das Fenster nicht vorn ist</translation>
    </message>
    <message>
        <source>A model</source>
        <translation>Ein Modell</translation>
    </message>
    <message>
        <source>A model has no run to resume.</source>
        <translation>Ein Modell hat keinen Lauf, der weitergehen könnte.</translation>
    </message>
    <message>
        <source>A model or a .tune file can also be dropped here.</source>
        <translation>Ein Modell oder eine .tune-Datei kann auch hier abgelegt werden.</translation>
    </message>
    <message>
        <source>A name is one line of at most {longest_name} characters.</source>
        <translation>Ein Name ist eine Zeile von höchstens {longest_name} Zeichen.</translation>
    </message>
    <message>
        <source>A newer measurement, {latency}, is not taken: half of its samples lie more than {spread} from it.</source>
        <translation>Eine neuere Messung, {latency}, gilt nicht: Die Hälfte ihrer Werte liegt um mehr als {spread} daneben.</translation>
    </message>
    <message>
        <source>A newer measurement, {latency}, is not taken: other programs had {load} of the cores that it needs.</source>
        <translation>Eine neuere Messung, {latency}, gilt nicht: Andere Programme hatten {load} der Kerne, die sie braucht.</translation>
    </message>
    <message>
        <source>A newer measurement, {latency}, is not taken: the board was hot and held its cores back.</source>
        <translation>Eine neuere Messung, {latency}, zählt nicht: Das Board war heiß und drosselte seine Kerne.</translation>
    </message>
    <message>
        <source>A note has at most {longest_note:,} characters.</source>
        <translation>Eine Notiz hat höchstens {longest_note:,} Zeichen.</translation>
    </message>
    <message>
        <source>A number from {least} to {most} is wanted.</source>
        <translation>Gefragt ist eine Zahl von {least} bis {most}.</translation>
    </message>
    <message>
        <source>A number makes this input a constant; where it is empty, it stays an input.</source>
        <translation>Eine Zahl macht diese Eingabe zur Konstanten; ist das Feld leer, bleibt sie eine Eingabe.</translation>
    </message>
    <message>
        <source>A peak of the target is unknown: {what}</source>
        <translation>Eine Spitzenleistung des Targets ist unbekannt: {what}</translation>
    </message>
    <message>
        <source>A plan has no steps.</source>
        <translation>Ein Plan hat keine Schritte.</translation>
    </message>
    <message>
        <source>A plan is made of {names}.</source>
        <translation>Ein Plan besteht aus {names}.</translation>
    </message>
    <message>
        <source>A policy failed: {error}</source>
        <translation>Eine Strategie ist gescheitert: {error}</translation>
    </message>
    <message>
        <source>A priority of {priority} does not fit.</source>
        <translation>Eine Priorität von {priority} geht nicht.</translation>
    </message>
    <message>
        <source>A process that was killed on {host} left a change of {name} unfinished.</source>
        <translation>Ein Prozess, der auf {host} abgeschossen wurde, hat eine Änderung an {name} unfertig hinterlassen.</translation>
    </message>
    <message>
        <source>A project ends in {suffix}.</source>
        <translation>Ein Projekt endet auf {suffix}.</translation>
    </message>
    <message>
        <source>A remote device of kind {kind} cannot be tuned.</source>
        <translation>Für ein entferntes Gerät der Art {kind} kann nicht getunt werden.</translation>
    </message>
    <message>
        <source>A remote device&apos;s is not measured.</source>
        <translation>Bei einem entfernten Gerät wird das nicht gemessen.</translation>
    </message>
    <message>
        <source>A replay cannot do this.</source>
        <translation>Eine Wiedergabe kann das nicht.</translation>
    </message>
    <message>
        <source>A replay exports nothing.</source>
        <translation>Eine Wiedergabe exportiert nichts.</translation>
    </message>
    <message>
        <source>A replay has no clusters.</source>
        <translation>Eine Wiedergabe hat keine Cluster.</translation>
    </message>
    <message>
        <source>A replay has no design spaces.</source>
        <translation>Eine Wiedergabe hat keine Entwurfsräume.</translation>
    </message>
    <message>
        <source>A replay has no kernels to put into stages. Open the model or its project for that.</source>
        <translation>Eine Wiedergabe hat keine Kernel für Stufen. Dafür das Modell oder sein Projekt öffnen.</translation>
    </message>
    <message>
        <source>A replay has no kernels.</source>
        <translation>Eine Wiedergabe hat keine Kernel.</translation>
    </message>
    <message>
        <source>A replay has no schedules.</source>
        <translation>Eine Wiedergabe hat keine Schedules.</translation>
    </message>
    <message>
        <source>A replay has the target and the precision of its recording.</source>
        <translation>Eine Wiedergabe hat Target und Genauigkeit ihrer Aufzeichnung.</translation>
    </message>
    <message>
        <source>A replay keeps no names and notes.</source>
        <translation>Eine Wiedergabe behält keine Namen und Notizen.</translation>
    </message>
    <message>
        <source>A replay keeps no results.</source>
        <translation>Eine Wiedergabe behält keine Ergebnisse.</translation>
    </message>
    <message>
        <source>A replay needs no model.</source>
        <translation>Eine Wiedergabe braucht kein Modell.</translation>
    </message>
    <message>
        <source>A replay opens nothing but recordings.</source>
        <translation>Eine Wiedergabe öffnet nur Aufzeichnungen.</translation>
    </message>
    <message>
        <source>A replay replays searches only.</source>
        <translation>Eine Wiedergabe spielt nur Suchen nach.</translation>
    </message>
    <message>
        <source>A replay saves nothing.</source>
        <translation>Eine Wiedergabe speichert nichts.</translation>
    </message>
    <message>
        <source>A replay shows its recording alone.</source>
        <translation>Eine Wiedergabe zeigt nur ihre Aufzeichnung.</translation>
    </message>
    <message>
        <source>A run</source>
        <translation>Ein Lauf</translation>
    </message>
    <message>
        <source>A run counts by its own trials alone. A replay plays recorded trials; it measures nothing.</source>
        <translation>Ein Lauf zählt nur mit seinen eigenen Versuchen. Eine Wiedergabe spielt aufgezeichnete Versuche nach; sie misst nichts.</translation>
    </message>
    <message>
        <source>A run ends at the first limit it reaches; without one it ends at Stop.</source>
        <translation>Ein Lauf endet am ersten Limit, das er erreicht; ohne eines, wenn er beendet wird.</translation>
    </message>
    <message>
        <source>A run goes on</source>
        <translation>Ein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>A run goes on.</source>
        <translation>Ein Lauf ist im Gang.</translation>
    </message>
    <message>
        <source>A run is measuring, which a replay would disturb: wait until it has ended, or stop it.</source>
        <translation>Ein Lauf misst, was eine Wiedergabe stören würde: sein Ende abwarten oder ihn beenden.</translation>
    </message>
    <message>
        <source>A run that is resumed has its steps, policy and seed already.</source>
        <translation>Ein Lauf, der weitergeht, hat Schritte, Strategie und Seed schon.</translation>
    </message>
    <message>
        <source>A run that was measured, or a replay of recorded trials</source>
        <translation>Ein gemessener Lauf oder eine Wiedergabe aufgezeichneter Versuche</translation>
    </message>
    <message>
        <source>A sample is the mean of calls that last so long</source>
        <translation>Eine Stichprobe ist das Mittel von Aufrufen, die so lange dauern</translation>
    </message>
    <message>
        <source>A schedule</source>
        <translation>Ein Schedule</translation>
    </message>
    <message>
        <source>A schedule is left out. {reason}</source>
        <translation>Ein Schedule wird ausgelassen. {reason}</translation>
    </message>
    <message>
        <source>A search</source>
        <translation>Eine Suche</translation>
    </message>
    <message>
        <source>A search for a schedule cannot be held.</source>
        <translation>Eine Suche nach einem Schedule lässt sich nicht anhalten.</translation>
    </message>
    <message>
        <source>A search for a schedule goes on.</source>
        <translation>Eine Suche nach einem Schedule ist im Gang.</translation>
    </message>
    <message>
        <source>A slot for each first</source>
        <translation>Erst jedem ein Slot</translation>
    </message>
    <message>
        <source>A speed of {speed:g} shows nothing.</source>
        <translation>Ein Tempo von {speed:g} zeigt nichts.</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>A target of {cores} cores cannot run.</source>
        <translation>Ein Target mit {cores} Kernen kann nicht laufen.</translation>
    </message>
    <message>
        <source>A target&apos;s host must be of kind llvm.</source>
        <translation>Der Host eines Targets muss von der Art llvm sein.</translation>
    </message>
    <message>
        <source>A target&apos;s {name} cannot be {shown}.</source>
        <translation>{name} eines Targets kann nicht {shown} sein.</translation>
    </message>
    <message>
        <source>A task leaves after so many trials without improvement; 0: never</source>
        <translation>Ein Task scheidet nach so vielen Versuchen ohne Verbesserung aus; 0: nie</translation>
    </message>
    <message>
        <source>A task that is slow for its size: tuning it may pay</source>
        <translation>Ein Task, der für seine Größe langsam ist: Ihn zu tunen kann sich lohnen</translation>
    </message>
    <message>
        <source>A tensor of the model has no static shape.</source>
        <translation>Ein Tensor des Modells hat keine feste Form.</translation>
    </message>
    <message>
        <source>A threshold of {threshold:g} is no share.</source>
        <translation>Ein Schwellwert von {threshold:g} ist kein Anteil.</translation>
    </message>
    <message>
        <source>A wheel holds one shape, and this project has several.</source>
        <translation>Ein Wheel hält eine Form, und dieses Projekt hat mehrere.</translation>
    </message>
    <message>
        <source>A wish</source>
        <translation>Ein Wunsch</translation>
    </message>
    <message>
        <source>A {title} file&apos;s inputs cannot be given a value here.</source>
        <translation>Den Eingaben einer {title}-Datei kann hier kein Wert gegeben werden.</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angen.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a job</source>
        <translation>Job hinzufügen</translation>
    </message>
    <message>
        <source>Add a job to the queue</source>
        <translation>Einen Job einreihen</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Add a model file…</source>
        <translation>Modelldatei hinzufügen…</translation>
    </message>
    <message>
        <source>Add a shape</source>
        <translation>Form hinzufügen</translation>
    </message>
    <message>
        <source>Add donors</source>
        <translation>Spender hinzufügen</translation>
    </message>
    <message>
        <source>Add it again.</source>
        <translation>Ihn neu hinzufügen.</translation>
    </message>
    <message>
        <source>Add it: model: FILE.onnx.</source>
        <translation>Es hinzufügen: model: FILE.onnx.</translation>
    </message>
    <message>
        <source>Add m&amp;odel to jobs…</source>
        <translation>M&amp;odell zu Jobs hinzufügen…</translation>
    </message>
    <message>
        <source>Add pro&amp;ject to jobs…</source>
        <translation>Projekt zu &amp;Jobs hinzufügen…</translation>
    </message>
    <message>
        <source>Add resume, a step such as search, or ios.</source>
        <translation>resume, einen Schritt wie search oder ios hinzufügen.</translation>
    </message>
    <message>
        <source>Add the open project…</source>
        <translation>Offenes Projekt hinzufügen…</translation>
    </message>
    <message>
        <source>Add them: budgets: [{seconds: 600}].</source>
        <translation>Sie hinzufügen: budgets: [{seconds: 600}].</translation>
    </message>
    <message>
        <source>Add them: models: [squeezenet].</source>
        <translation>Sie hinzufügen: models: [squeezenet].</translation>
    </message>
    <message>
        <source>Add to m&amp;y library</source>
        <translation>In meine Bibliothe&amp;k aufnehmen</translation>
    </message>
    <message>
        <source>Add to my library</source>
        <translation>In meine Bibliothek</translation>
    </message>
    <message>
        <source>Adding to the library</source>
        <translation>In die Bibliothek aufnehmen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>After so long at the earliest; where results come slowly, later. 0 is never.</source>
        <translation>Frühestens nach dieser Zeit; kommen Ergebnisse langsam, später. 0 heißt nie.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All accepted moves together</source>
        <translation>Alle angenommenen Schritte zusammen</translation>
    </message>
    <message>
        <source>All are tuned together. The frequency says how often a shape occurs beside the others, in whole numbers.</source>
        <translation>Alle werden zusammen getunt. Die Häufigkeit sagt in ganzen Zahlen, wie oft eine Form neben den anderen vorkommt.</translation>
    </message>
    <message>
        <source>All cores were held: {stages}.</source>
        <translation>Alle Kerne waren belegt: {stages}.</translation>
    </message>
    <message>
        <source>All jobs are paused.</source>
        <translation>Alle Jobs sind angehalten.</translation>
    </message>
    <message>
        <source>All nodes of the model&apos;s file that went into it</source>
        <translation>Alle Knoten der Modelldatei, die in sie eingingen</translation>
    </message>
    <message>
        <source>All of its usual ports are taken on {host}.</source>
        <translation>Alle üblichen Ports sind auf {host} belegt.</translation>
    </message>
    <message>
        <source>All shapes</source>
        <translation>Alle Formen</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>Zuteilung</translation>
    </message>
    <message>
        <source>Allocation by task</source>
        <translation>Zuteilung nach Task</translation>
    </message>
    <message>
        <source>Allow it only if you know who answers there: they can run code on this machine.</source>
        <translation>Nur erlauben, wenn bekannt ist, wer dort antwortet: Er kann Code auf dieser Maschine ausführen.</translation>
    </message>
    <message>
        <source>Alone they would give {share} of the gain so far.</source>
        <translation>Allein brächten sie {share} des bisherigen Gewinns.</translation>
    </message>
    <message>
        <source>An address of a file</source>
        <translation>Eine Adresse aus einer Datei</translation>
    </message>
    <message>
        <source>An earlier session ended without a word; every measured trial is in its project file.</source>
        <translation>Eine frühere Sitzung endete ohne ein Wort; jeder gemessene Versuch ist in seiner Projektdatei.</translation>
    </message>
    <message>
        <source>An estimate: what the kernels take together, each measured by itself.</source>
        <translation>Eine Schätzung: was die Kernel zusammen brauchen, jeder für sich gemessen.</translation>
    </message>
    <message>
        <source>An estimate: {basis} as measured, scaled by what the kernels gained since.</source>
        <translation>Eine Schätzung: gemessene {basis}, umgerechnet nach dem, was die Kernel seitdem gewonnen haben.</translation>
    </message>
    <message>
        <source>Another Tunewright runs the queue.</source>
        <translation>Ein anderes Tunewright führt die Warteschlange aus.</translation>
    </message>
    <message>
        <source>Another Tunewright runs this queue.</source>
        <translation>Ein anderes Tunewright bedient diese Warteschlange.</translation>
    </message>
    <message>
        <source>Another device</source>
        <translation>Ein anderes Gerät</translation>
    </message>
    <message>
        <source>Another machine</source>
        <translation>Eine andere Maschine</translation>
    </message>
    <message>
        <source>Another machine…</source>
        <translation>Andere Maschine…</translation>
    </message>
    <message>
        <source>Another program is using {path}.</source>
        <translation>Ein anderes Programm benutzt {path}.</translation>
    </message>
    <message>
        <source>Ansor&apos;s rule: as the gradient, with the speed of similar tasks as the hope.</source>
        <translation>Die Regel von Ansor: wie der Gradient, mit dem Tempo ähnlicher Tasks als Hoffnung.</translation>
    </message>
    <message>
        <source>Any open task, by lot.</source>
        <translation>Irgendein offener Task, durch Los.</translation>
    </message>
    <message>
        <source>Any outcome</source>
        <translation>Jeder Ausgang</translation>
    </message>
    <message>
        <source>Any source</source>
        <translation>Jede Quelle</translation>
    </message>
    <message>
        <source>Any task that still improves, by lot.</source>
        <translation>Irgendein Task, der sich noch verbessert, durch Los.</translation>
    </message>
    <message>
        <source>Append a step of this kind</source>
        <translation>Einen Schritt dieser Art anhängen</translation>
    </message>
    <message>
        <source>Applying the traces and compiling …</source>
        <translation>Traces anwenden und kompilieren …</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Arrange the panels again and save them under that name.</source>
        <translation>Die Bereiche neu anordnen und unter diesem Namen speichern.</translation>
    </message>
    <message>
        <source>As in the file, on the cores for float32.</source>
        <translation>Wie in der Datei, auf den Kernen für float32.</translation>
    </message>
    <message>
        <source>As in the paper: a curve fitted to each task says what to expect, and each task has a bonus that falls with its slots.</source>
        <translation>Wie in der Veröffentlichung: Eine Kurve für jeden Task sagt, was zu erwarten ist, und jeder Task hat einen Bonus, der mit seinen Slots abnimmt.</translation>
    </message>
    <message>
        <source>As of {moment}, connection lost.</source>
        <translation>Stand {moment}, Verbindung verloren.</translation>
    </message>
    <message>
        <source>As the desktop is set</source>
        <translation>Wie der Desktop eingestellt ist</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>Assembler</translation>
    </message>
    <message>
        <source>At</source>
        <translation>Zeitpunkt</translation>
    </message>
    <message>
        <source>Back to the clusters that this threshold makes</source>
        <translation>Zurück zu den Clustern, die diese Schwelle ergibt</translation>
    </message>
    <message>
        <source>Back to where the last jump began (Alt+Left)</source>
        <translation>Zurück zum Beginn des letzten Sprungs (Alt+Links)</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Beat {reference}</source>
        <translation>Vor {reference}</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Before and after by task</source>
        <translation>Vorher und nachher nach Task</translation>
    </message>
    <message>
        <source>Before any tuning.</source>
        <translation>Vor jedem Tuning.</translation>
    </message>
    <message>
        <source>Begin no other job; those under way go on to their end</source>
        <translation>Keinen weiteren Job beginnen; die laufenden gehen zu Ende</translation>
    </message>
    <message>
        <source>Begin the wheel&apos;s name with a letter.</source>
        <translation>Den Namen des Wheels mit einem Buchstaben beginnen.</translation>
    </message>
    <message>
        <source>Begin with what is known</source>
        <translation>Mit Bekanntem beginnen</translation>
    </message>
    <message>
        <source>Belief</source>
        <translation>Annahme</translation>
    </message>
    <message>
        <source>Belief&apos;s &amp;sampler…</source>
        <translation>Samp&amp;ler der Annahme…</translation>
    </message>
    <message>
        <source>Below this chance of being a fluke a neighbour counts as faster</source>
        <translation>Ist Zufall unwahrscheinlicher als dies, gilt ein Nachbar als schneller</translation>
    </message>
    <message>
        <source>Beside it: {stages}. Nothing else was ready.</source>
        <translation>Daneben: {stages}. Sonst war nichts bereit.</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Best latency measured, of one call</source>
        <translation>Beste gemessene Latenz eines Aufrufs</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>Bester bisher</translation>
    </message>
    <message>
        <source>Best trial #{number}</source>
        <translation>Bester Versuch #{number}</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Board answered within</source>
        <translation>Board antwortete in</translation>
    </message>
    <message>
        <source>Board held its cores back</source>
        <translation>Board drosselte seine Kerne</translation>
    </message>
    <message>
        <source>Board&apos;s frequency</source>
        <translation>Frequenz des Boards</translation>
    </message>
    <message>
        <source>Board&apos;s temperature</source>
        <translation>Temperatur des Boards</translation>
    </message>
    <message>
        <source>Bonus</source>
        <translation>Bonus</translation>
    </message>
    <message>
        <source>Bring back all panels</source>
        <translation>Alle Bereiche zurückholen</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Budget, policy, search, measurement, seed</source>
        <translation>Budget, Strategie, Suche, Messung, Seed</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Build</translation>
    </message>
    <message>
        <source>Build cluster</source>
        <translation>Build-Cluster</translation>
    </message>
    <message>
        <source>Bursts of search with passes between them</source>
        <translation>Suche in Schüben mit Durchgängen dazwischen</translation>
    </message>
    <message>
        <source>By lot, the likelier the more is expected of a task.</source>
        <translation>Durch Los, umso wahrscheinlicher, je mehr von einem Task erwartet wird.</translation>
    </message>
    <message>
        <source>C&amp;ancel</source>
        <translation>Abb&amp;rechen</translation>
    </message>
    <message>
        <source>CUDA does not tell how fast the GPU&apos;s memory is.</source>
        <translation>CUDA sagt nicht, wie schnell der Speicher der GPU ist.</translation>
    </message>
    <message>
        <source>Calls before the first sample</source>
        <translation>Aufrufe vor der ersten Stichprobe</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel it first.</source>
        <translation>Ihn erst abbrechen.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Candidates that are built and measured in each slot</source>
        <translation>Kandidaten, die in jedem Slot gebaut und gemessen werden</translation>
    </message>
    <message>
        <source>Candidates that evolve in each round</source>
        <translation>Kandidaten, die in jeder Runde weiterentwickelt werden</translation>
    </message>
    <message>
        <source>Candidates that the run tried</source>
        <translation>Kandidaten, die der Lauf versuchte</translation>
    </message>
    <message>
        <source>Candidates that were tried</source>
        <translation>Kandidaten, die versucht wurden</translation>
    </message>
    <message>
        <source>Candidates tried</source>
        <translation>Versuchte Kandidaten</translation>
    </message>
    <message>
        <source>Candidates tried, failed ones included</source>
        <translation>Versuchte Kandidaten, gescheiterte eingerechnet</translation>
    </message>
    <message>
        <source>Cannot be changed while the queue runs</source>
        <translation>Nicht zu ändern, solange die Warteschlange läuft</translation>
    </message>
    <message>
        <source>Cells of the experiment</source>
        <translation>Zellen des Experiments</translation>
    </message>
    <message>
        <source>Change the permissions there.</source>
        <translation>Dort die Rechte ändern.</translation>
    </message>
    <message>
        <source>Change the permissions, or save to another folder.</source>
        <translation>Die Rechte ändern oder in einem anderen Ordner speichern.</translation>
    </message>
    <message>
        <source>Check its indentation, colons and quotes.</source>
        <translation>Einrückung, Doppelpunkte und Anführungszeichen prüfen.</translation>
    </message>
    <message>
        <source>Check its name and folder.</source>
        <translation>Namen und Ordner prüfen.</translation>
    </message>
    <message>
        <source>Check its name, or give it one in the settings of your ssh.</source>
        <translation>Den Namen prüfen oder ihr in den Einstellungen von ssh einen geben.</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Die Rechte prüfen.</translation>
    </message>
    <message>
        <source>Check its quotes.</source>
        <translation>Die Anführungszeichen prüfen.</translation>
    </message>
    <message>
        <source>Check that the model runs in LiteRT on inputs of these shapes.</source>
        <translation>Prüfen, ob das Modell in LiteRT mit Eingaben dieser Formen läuft.</translation>
    </message>
    <message>
        <source>Check that the model runs in ONNX Runtime with inputs of these shapes.</source>
        <translation>Prüfen, ob das Modell in ONNX Runtime mit Eingaben dieser Formen läuft.</translation>
    </message>
    <message>
        <source>Check that the model runs in ONNX Runtime, or export it again.</source>
        <translation>Prüfen, ob das Modell in ONNX Runtime läuft, oder es neu exportieren.</translation>
    </message>
    <message>
        <source>Check that the program runs in PyTorch on inputs of these shapes.</source>
        <translation>Prüfen, ob das Programm in PyTorch mit Eingaben dieser Formen läuft.</translation>
    </message>
    <message>
        <source>Check that this is the model you meant.</source>
        <translation>Prüfen, ob dies das gemeinte Modell ist.</translation>
    </message>
    <message>
        <source>Check the drive and its free space, then open the project again.</source>
        <translation>Das Laufwerk und seinen freien Platz prüfen und das Projekt dann neu öffnen.</translation>
    </message>
    <message>
        <source>Check the file and its permissions.</source>
        <translation>Die Datei und ihre Rechte prüfen.</translation>
    </message>
    <message>
        <source>Check the path, or choose a sample: {names}.</source>
        <translation>Den Pfad prüfen oder ein Beispiel wählen: {names}.</translation>
    </message>
    <message>
        <source>Check the path, or open another model.</source>
        <translation>Den Pfad prüfen oder ein anderes Modell öffnen.</translation>
    </message>
    <message>
        <source>Check the path; one that is not the machine&apos;s begins with /~/, the home of the account.</source>
        <translation>Den Pfad prüfen; einer, der nicht bei der Wurzel der Maschine beginnt, fängt mit /~/ an, dem Ordner des Kontos.</translation>
    </message>
    <message>
        <source>Checking the outputs against {about}</source>
        <translation>Ausgaben gegen {about} prüfen</translation>
    </message>
    <message>
        <source>Checking what the tuned kernels compute</source>
        <translation>Prüft, was die getunten Kerne berechnen</translation>
    </message>
    <message>
        <source>Choose a .tune file.</source>
        <translation>Eine .tune-Datei wählen.</translation>
    </message>
    <message>
        <source>Choose a board as the target: compiled for here, measured there</source>
        <translation>Ein Board als Target wählen: hier kompiliert, dort gemessen</translation>
    </message>
    <message>
        <source>Choose a cluster of the same operators and structure.</source>
        <translation>Einen Cluster mit denselben Operatoren und demselben Aufbau wählen.</translation>
    </message>
    <message>
        <source>Choose a command, click into the line below, and press its new keys.</source>
        <translation>Einen Befehl wählen, in die Zeile darunter klicken und die neuen Tasten drücken.</translation>
    </message>
    <message>
        <source>Choose a file {result_file} that an experiment has written.</source>
        <translation>Eine Datei {result_file} wählen, die ein Experiment geschrieben hat.</translation>
    </message>
    <message>
        <source>Choose a folder.</source>
        <translation>Einen Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose a recording of a tuned project.</source>
        <translation>Die Aufzeichnung eines getunten Projekts wählen.</translation>
    </message>
    <message>
        <source>Choose a representative.</source>
        <translation>Einen Vertreter wählen.</translation>
    </message>
    <message>
        <source>Choose a shorter one.</source>
        <translation>Einen kürzeren wählen.</translation>
    </message>
    <message>
        <source>Choose a target of this machine, or write the address of a device before it.</source>
        <translation>Ein Target dieser Maschine wählen oder die Adresse eines Geräts davor schreiben.</translation>
    </message>
    <message>
        <source>Choose another folder, or make room.</source>
        <translation>Einen anderen Ordner wählen oder Platz schaffen.</translation>
    </message>
    <message>
        <source>Choose another name for the wheel.</source>
        <translation>Einen anderen Namen für das Wheel wählen.</translation>
    </message>
    <message>
        <source>Choose another name or delete it.</source>
        <translation>Einen anderen Namen wählen oder sie löschen.</translation>
    </message>
    <message>
        <source>Choose another name or folder.</source>
        <translation>Einen anderen Namen oder Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose another or an empty folder.</source>
        <translation>Einen anderen oder einen leeren Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>Choose another policy.</source>
        <translation>Eine andere Strategie wählen.</translation>
    </message>
    <message>
        <source>Choose another target, or look under Troubleshooting in the help.</source>
        <translation>Ein anderes Target wählen oder in der Hilfe unter Troubleshooting nachsehen.</translation>
    </message>
    <message>
        <source>Choose another trial; what was measured is kept.</source>
        <translation>Einen anderen Versuch wählen; was gemessen wurde, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Choose another trial; what was measured is not touched.</source>
        <translation>Einen anderen Versuch wählen; was gemessen wurde, bleibt unberührt.</translation>
    </message>
    <message>
        <source>Choose another version, name or folder.</source>
        <translation>Eine andere Version, einen anderen Namen oder Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation>Einen anderen wählen.</translation>
    </message>
    <message>
        <source>Choose cpu, or check the driver with nvidia-smi.</source>
        <translation>cpu wählen oder den Treiber mit nvidia-smi prüfen.</translation>
    </message>
    <message>
        <source>Choose float32, or a CUDA device.</source>
        <translation>float32 oder ein CUDA-Gerät wählen.</translation>
    </message>
    <message>
        <source>Choose float32, or a newer GPU.</source>
        <translation>float32 oder eine neuere GPU wählen.</translation>
    </message>
    <message>
        <source>Choose it for a replay only.</source>
        <translation>Sie nur für eine Wiedergabe wählen.</translation>
    </message>
    <message>
        <source>Choose one of {names}.</source>
        <translation>Zur Wahl stehen {names}.</translation>
    </message>
    <message>
        <source>Choose one of: {known}.</source>
        <translation>Zur Wahl stehen: {known}.</translation>
    </message>
    <message>
        <source>Choose one of: {names}.</source>
        <translation>Zur Wahl stehen: {names}.</translation>
    </message>
    <message>
        <source>Choose one that is in its list.</source>
        <translation>Eines aus der Liste wählen.</translation>
    </message>
    <message>
        <source>Choose one that is there.</source>
        <translation>Eines wählen, das es gibt.</translation>
    </message>
    <message>
        <source>Choose one that this machine has.</source>
        <translation>Eines wählen, das diese Maschine hat.</translation>
    </message>
    <message>
        <source>Choose the one whose SHA-256 begins with {sha256}.</source>
        <translation>Das wählen, dessen SHA-256 mit {sha256} beginnt.</translation>
    </message>
    <message>
        <source>Choose the strategy merge or both.</source>
        <translation>Die Strategie merge oder both wählen.</translation>
    </message>
    <message>
        <source>Choose {names} for it, or leave it out.</source>
        <translation>Dafür {names} wählen oder sie weglassen.</translation>
    </message>
    <message>
        <source>Clear s&amp;election</source>
        <translation>Auswahl auf&amp;heben</translation>
    </message>
    <message>
        <source>Clear the text</source>
        <translation>Den Text löschen</translation>
    </message>
    <message>
        <source>Click on a plot or a table first.</source>
        <translation>Erst ein Diagramm oder eine Tabelle anklicken.</translation>
    </message>
    <message>
        <source>Click or drag to move</source>
        <translation>Klicken oder ziehen zum Bewegen</translation>
    </message>
    <message>
        <source>Close &amp;window</source>
        <translation>&amp;Fenster schließen</translation>
    </message>
    <message>
        <source>Close all windows</source>
        <translation>Alle Fenster schließen</translation>
    </message>
    <message>
        <source>Close it there, or work on a copy.</source>
        <translation>Es dort schließen oder mit einer Kopie arbeiten.</translation>
    </message>
    <message>
        <source>Close it there, then try again.</source>
        <translation>Es dort schließen und es noch einmal versuchen.</translation>
    </message>
    <message>
        <source>Close other programs, as memory may be short; then resume the run.</source>
        <translation>Andere Programme schließen, denn der Speicher kann knapp sein; den Lauf dann fortsetzen.</translation>
    </message>
    <message>
        <source>Close other programs, or use a machine with more memory.</source>
        <translation>Andere Programme schließen oder eine Maschine mit mehr Speicher nehmen.</translation>
    </message>
    <message>
        <source>Close other programs.</source>
        <translation>Andere Programme schließen.</translation>
    </message>
    <message>
        <source>Close the project file</source>
        <translation>Die Projektdatei schließen</translation>
    </message>
    <message>
        <source>Close this window; others go on</source>
        <translation>Dieses Fenster schließen; andere bleiben offen</translation>
    </message>
    <message>
        <source>Closing</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Clusters as shown</source>
        <translation>Cluster wie gezeigt</translation>
    </message>
    <message>
        <source>Clusters whose schedules replay on this task, the most alike first</source>
        <translation>Cluster, deren Schedules an diesem Task nachspielbar sind, der ähnlichste zuerst</translation>
    </message>
    <message>
        <source>Co&amp;mpare runs and policies…</source>
        <translation>Läufe und Strategien ver&amp;gleichen…</translation>
    </message>
    <message>
        <source>Co&amp;mpare the two</source>
        <translation>Die beiden &amp;vergleichen</translation>
    </message>
    <message>
        <source>Co&amp;mpare {first} and {second}</source>
        <translation>{first} und {second} &amp;vergleichen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Code of the trial</source>
        <translation>Code des Versuchs</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Command &amp;palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>Command or key to look for</source>
        <translation>Gesuchter Befehl oder Taste</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
        <source>Common candidates (published)</source>
        <translation>Gemeinsame Kandidaten (Literatur)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Compare mar&amp;ked trials</source>
        <translation>&amp;Markierte Versuche vergleichen</translation>
    </message>
    <message>
        <source>Compare with peers</source>
        <translation>Mit ähnlichen vergleichen</translation>
    </message>
    <message>
        <source>Compare with the help&apos;s example.</source>
        <translation>Mit dem Beispiel der Hilfe vergleichen.</translation>
    </message>
    <message>
        <source>Comparing narrower searches</source>
        <translation>Engere Suchen vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>Comparing the design spaces of %n tasks …</source>
        <translation>
            <numerusform>Der Suchraum von %n Task wird verglichen …</numerusform>
            <numerusform>Die Suchräume von %n Tasks werden verglichen …</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing the devices</source>
        <translation>Geräte vergleichen</translation>
    </message>
    <message>
        <source>Comparing the schedule with one operator after another</source>
        <translation>Den Stufenplan mit einem Operator nach dem anderen vergleichen</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Compile and show</source>
        <translation>Übersetzen und zeigen</translation>
    </message>
    <message>
        <source>Compiling and measuring the tuned model</source>
        <translation>Das getunte Modell kompilieren und messen</translation>
    </message>
    <message>
        <source>Compiling and measuring the untuned model</source>
        <translation>Das ungetunte Modell kompilieren und messen</translation>
    </message>
    <message>
        <source>Compiling the model with its records</source>
        <translation>Das Modell mit seinen Records kompilieren</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connect to {places}?</source>
        <translation>Mit {places} verbinden?</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Contents of the help</source>
        <translation>Inhalt der Hilfe</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Convergence</source>
        <translation>Konvergenz</translation>
    </message>
    <message>
        <source>Convert it again.</source>
        <translation>Es neu umwandeln.</translation>
    </message>
    <message>
        <source>Convert the model again, or replace that operator.</source>
        <translation>Das Modell neu umwandeln oder diesen Operator ersetzen.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;values</source>
        <translation>&amp;Werte kopieren</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy all as &amp;TSV</source>
        <translation>Alles als &amp;TSV kopieren</translation>
    </message>
    <message>
        <source>Copy as TSV</source>
        <translation>Als TSV kopieren</translation>
    </message>
    <message>
        <source>Copy or download it again.</source>
        <translation>Es noch einmal kopieren oder neu herunterladen.</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Copy the log as shown</source>
        <translation>Das Protokoll wie gezeigt kopieren</translation>
    </message>
    <message>
        <source>Copy the plot as a picture, or rows as CSV: whichever has the keyboard</source>
        <translation>Das Diagramm als Bild oder Zeilen als CSV kopieren: was die Tastatur hat</translation>
    </message>
    <message>
        <source>Copy the project; it is saved as it goes anyway</source>
        <translation>Das Projekt kopieren; gespeichert wird es ohnehin laufend</translation>
    </message>
    <message>
        <source>Copy the whole table, for a spreadsheet or a text</source>
        <translation>Die ganze Tabelle kopieren, für eine Tabellenkalkulation oder einen Text</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>Den ganzen Text kopieren</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>Diese Meldung kopieren</translation>
    </message>
    <message>
        <source>Copy, save, follow (menu key)</source>
        <translation>Kopieren, speichern, folgen (Menütaste)</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Cores and devices over time</source>
        <translation>Kerne und Geräte über die Zeit</translation>
    </message>
    <message>
        <source>Correct it.</source>
        <translation>Es berichtigen.</translation>
    </message>
    <message>
        <source>Correct the mattr.</source>
        <translation>mattr berichtigen.</translation>
    </message>
    <message>
        <source>Count seconds</source>
        <translation>Sekunden zählen</translation>
    </message>
    <message>
        <source>Curiosity C</source>
        <translation>Neugier C</translation>
    </message>
    <message>
        <source>Curve family</source>
        <translation>Kurvenfamilie</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Custom…</source>
        <translation>Andere…</translation>
    </message>
    <message>
        <source>Cut ratio</source>
        <translation>Abbruchfaktor</translation>
    </message>
    <message>
        <source>Cut the model before the operators whose result depends on the data.</source>
        <translation>Das Modell vor den Operatoren abschneiden, deren Ergebnis von den Daten abhängt.</translation>
    </message>
    <message>
        <source>Cut the model before these operators.</source>
        <translation>Das Modell vor diesen Operatoren abschneiden.</translation>
    </message>
    <message>
        <source>Cut the program before the operators whose result depends on the data.</source>
        <translation>Das Programm vor den Operatoren abschneiden, deren Ergebnis von den Daten abhängt.</translation>
    </message>
    <message>
        <source>Dark text on light</source>
        <translation>Dunkle Schrift auf Hell</translation>
    </message>
    <message>
        <source>Dask Distributed cannot be imported: {error}.</source>
        <translation>Dask Distributed lässt sich nicht importieren: {error}.</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Despite a wrong answer</source>
        <translation>Trotz falscher Antwort</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Devices here and devices elsewhere cannot share a run.</source>
        <translation>Geräte hier und anderswo können sich keinen Lauf teilen.</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Disturbed: half of its samples lie more than {spread} from it.</source>
        <translation>Gestört: Die Hälfte der Messwerte liegt um mehr als {spread} daneben.</translation>
    </message>
    <message>
        <source>Disturbed: measure again while the machine does nothing else.</source>
        <translation>Gestört: neu messen, wenn der Rechner sonst nichts tut.</translation>
    </message>
    <message>
        <source>Disturbed: other programs had {load} of the cores that it needs.</source>
        <translation>Gestört: Andere Programme hatten {load} der Kerne, die die Messung braucht.</translation>
    </message>
    <message>
        <source>Disturbed: the board was hot and held its cores back.</source>
        <translation>Gestört: Das Board war heiß und drosselte seine Kerne.</translation>
    </message>
    <message>
        <source>Do again what was taken back</source>
        <translation>Noch einmal tun, was rückgängig gemacht wurde</translation>
    </message>
    <message>
        <source>Do&amp;wn</source>
        <translation>A&amp;b</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Donor</source>
        <translation>Spender</translation>
    </message>
    <message>
        <source>Donor&apos;s own</source>
        <translation>Beim Spender</translation>
    </message>
    <message>
        <source>Donors a task</source>
        <translation>Spender je Task</translation>
    </message>
    <message>
        <source>Donors from</source>
        <translation>Spender aus</translation>
    </message>
    <message>
        <source>Donors tried</source>
        <translation>Versuchte Spender</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <source>Drawing of the whole graph</source>
        <translation>Zeichnung des ganzen Graphen</translation>
    </message>
    <message>
        <source>Droplet</source>
        <translation>Droplet</translation>
    </message>
    <message>
        <source>Droplet</source>
        <comment>step</comment>
        <translation>Droplet</translation>
    </message>
    <message>
        <source>Droplet polished its best schedule</source>
        <translation>Droplet hat seinen besten Schedule verfeinert</translation>
    </message>
    <message>
        <source>Droplet polishes records, and no task has one yet.</source>
        <translation>Droplet verfeinert Records, und noch kein Task hat einen.</translation>
    </message>
    <message>
        <source>Droplet was never run: it takes the best schedule of each task to faster neighbours.</source>
        <translation>Droplet lief noch nie: Es bringt den besten Schedule jedes Tasks zu schnelleren Nachbarn.</translation>
    </message>
    <message>
        <source>Droplet&apos;s path</source>
        <translation>Weg von Droplet</translation>
    </message>
    <message>
        <source>Droplet, {name}: {reason}</source>
        <translation>Droplet, {name}: {reason}</translation>
    </message>
    <message>
        <source>Droplet, {name}: {reason}.</source>
        <translation>Droplet, {name}: {reason}.</translation>
    </message>
    <message>
        <source>Droplet…</source>
        <translation>Droplet…</translation>
    </message>
    <message>
        <source>Each task in turn.</source>
        <translation>Jeder Task der Reihe nach.</translation>
    </message>
    <message>
        <source>Each task that still improves, in turn.</source>
        <translation>Jeder Task, der sich noch verbessert, der Reihe nach.</translation>
    </message>
    <message>
        <source>Elements of its weights and biases</source>
        <translation>Elemente ihrer Gewichte und Biase</translation>
    </message>
    <message>
        <source>End i&amp;t now</source>
        <translation>Je&amp;tzt beenden</translation>
    </message>
    <message>
        <source>End it</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End the marked job; every result is kept</source>
        <translation>Den markierten Job beenden; jedes Ergebnis bleibt</translation>
    </message>
    <message>
        <source>End the run</source>
        <translation>Den Lauf beenden</translation>
    </message>
    <message>
        <source>End the run, or the search for stages; every result is kept</source>
        <translation>Den Lauf oder die Suche nach Stufen beenden; jedes Ergebnis bleibt</translation>
    </message>
    <message>
        <source>End the search; the best schedule so far is measured as a whole, and kept</source>
        <translation>Die Suche beenden; der bisher beste Stufenplan wird im Ganzen gemessen und behalten</translation>
    </message>
    <message>
        <source>End this job</source>
        <translation>Diesen Job beenden</translation>
    </message>
    <message>
        <source>End what goes on</source>
        <translation>Beenden, was im Gange ist</translation>
    </message>
    <message>
        <source>End without a schedule; every stage that was measured is kept</source>
        <translation>Ohne Stufenplan beenden; jede gemessene Stufe bleibt</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error of the trial</source>
        <translation>Fehler des Versuchs</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Estimate from the budget; tuning time so far below.</source>
        <translation>Schätzung aus dem Budget; darunter die bisherige Tuning-Zeit.</translation>
    </message>
    <message>
        <source>Every device of the cluster at {key} is taken</source>
        <translation>Jedes Gerät des Clusters bei {key} ist belegt</translation>
    </message>
    <message>
        <source>Every job as if it were alone: its measurements are disturbed</source>
        <translation>Jeder Job, als wäre er allein: seine Messungen werden gestört</translation>
    </message>
    <message>
        <source>Every result is kept. Ctrl+C again ends at once.</source>
        <translation>Jedes Ergebnis bleibt erhalten. Strg+C beendet sofort.</translation>
    </message>
    <message>
        <source>Every server of {key} is busy at {where}</source>
        <translation>Alle Server von {key} bei {where} sind beschäftigt</translation>
    </message>
    <message>
        <source>Every task gets its first valid result before any gets more</source>
        <translation>Jeder Task bekommt sein erstes gültiges Ergebnis, bevor einer mehr bekommt</translation>
    </message>
    <message>
        <source>Every trial is kept either way; a run whose results are not used is left out everywhere.</source>
        <translation>Jeder Versuch bleibt in jedem Fall; ein Lauf, dessen Ergebnisse nicht verwendet werden, ist überall ausgelassen.</translation>
    </message>
    <message>
        <source>Every way to schedule the program, measured</source>
        <translation>Jeder Weg, das Programm zu planen, gemessen</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Expect more of a task that is slower than others of its class and size</source>
        <translation>Mehr von einem Task erwarten, der langsamer ist als andere seiner Klasse und Größe</translation>
    </message>
    <message>
        <source>Experiment {name}</source>
        <translation>Experiment {name}</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>Erkunden</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export a module that returns one.</source>
        <translation>Ein Modul exportieren, das einen zurückgibt.</translation>
    </message>
    <message>
        <source>Export a module that takes and holds only tensors.</source>
        <translation>Ein Modul exportieren, das nur Tensoren nimmt und hält.</translation>
    </message>
    <message>
        <source>Export into folder</source>
        <translation>In Ordner exportieren</translation>
    </message>
    <message>
        <source>Export it again with this version of PyTorch.</source>
        <translation>Es neu mit dieser Version von PyTorch exportieren.</translation>
    </message>
    <message>
        <source>Export it in smaller parts, and report it.</source>
        <translation>Es in kleineren Teilen exportieren und es melden.</translation>
    </message>
    <message>
        <source>Export it with another ONNX operator set, or in smaller parts.</source>
        <translation>Es mit einem anderen ONNX-Operatorsatz oder in kleineren Teilen exportieren.</translation>
    </message>
    <message>
        <source>Export it with static shapes and without control flow.</source>
        <translation>Es mit festen Formen und ohne Verzweigungen exportieren.</translation>
    </message>
    <message>
        <source>Export it with static shapes.</source>
        <translation>Es mit festen Formen exportieren.</translation>
    </message>
    <message>
        <source>Export it with the condition fixed, so that only one branch is left.</source>
        <translation>Es mit fester Bedingung exportieren, so dass nur ein Zweig bleibt.</translation>
    </message>
    <message>
        <source>Export the folder, which holds all of them.</source>
        <translation>Den Ordner exportieren, der alle hält.</translation>
    </message>
    <message>
        <source>Export the model again with operator set {oldest_read} or newer.</source>
        <translation>Das Modell neu mit Operatorsatz {oldest_read} oder neuer exportieren.</translation>
    </message>
    <message>
        <source>Export the model again without functions, or with ones that call each other plainly.</source>
        <translation>Das Modell neu ohne Funktionen oder mit solchen exportieren, die sich einfach aufrufen.</translation>
    </message>
    <message>
        <source>Export the model again.</source>
        <translation>Das Modell neu exportieren.</translation>
    </message>
    <message>
        <source>Export the model with a newer version of ONNX.</source>
        <translation>Das Modell mit einer neueren Version von ONNX exportieren.</translation>
    </message>
    <message>
        <source>Export the model with numbers of 8 bits or more that are no float8.</source>
        <translation>Das Modell mit Zahlen ab 8 Bit exportieren, die kein float8 sind.</translation>
    </message>
    <message>
        <source>Export the model with smaller sizes, or with that value as an input.</source>
        <translation>Das Modell mit kleineren Größen oder mit diesem Wert als Eingabe exportieren.</translation>
    </message>
    <message>
        <source>Export the model with tensors of numbers as its inputs.</source>
        <translation>Das Modell mit Tensoren von Zahlen als Eingaben exportieren.</translation>
    </message>
    <message>
        <source>Export the model with that value as a constant.</source>
        <translation>Das Modell mit diesem Wert als Konstante exportieren.</translation>
    </message>
    <message>
        <source>Export the module after eval(), and so that it only returns tensors.</source>
        <translation>Das Modul nach eval() und so exportieren, dass es nur Tensoren zurückgibt.</translation>
    </message>
    <message>
        <source>Export the module with torch.export.export, and save that with torch.export.save.</source>
        <translation>Das Modul mit torch.export.export exportieren und das mit torch.export.save speichern.</translation>
    </message>
    <message>
        <source>Export the module without that operator.</source>
        <translation>Das Modul ohne diesen Operator exportieren.</translation>
    </message>
    <message>
        <source>Export the program with a fixed number there.</source>
        <translation>Das Programm mit einer festen Zahl dort exportieren.</translation>
    </message>
    <message>
        <source>Export the program with another.</source>
        <translation>Das Programm mit einem anderen exportieren.</translation>
    </message>
    <message>
        <source>Export the {title} module after eval(), with its state as in- and outputs.</source>
        <translation>Das {title}-Modul nach eval(), mit seinem Zustand als Ein- und Ausgaben exportieren.</translation>
    </message>
    <message>
        <source>Exported to {folder}.</source>
        <translation>Exportiert nach {folder}.</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>F&amp;ind stages…</source>
        <translation>Stufen s&amp;uchen…</translation>
    </message>
    <message>
        <source>F1 opens this at the part of the window that has the keyboard.</source>
        <translation>F1 öffnet dies beim Teil des Fensters, der die Tastatur hat.</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Fetch the model with `git lfs pull`.</source>
        <translation>Das Modell mit `git lfs pull` holen.</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Figures of both trials</source>
        <translation>Zahlen beider Versuche</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Final</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Finalists</source>
        <translation>Finalisten</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find a command or a key</source>
        <translation>Befehl oder Taste suchen</translation>
    </message>
    <message>
        <source>Find any command, task, view or recent file by name</source>
        <translation>Befehl, Task, Ansicht oder letzte Datei beim Namen finden</translation>
    </message>
    <message>
        <source>Find in graph or code</source>
        <translation>In Graph oder Code suchen</translation>
    </message>
    <message>
        <source>Find in the code</source>
        <translation>Im Code suchen</translation>
    </message>
    <message>
        <source>Find nodes by name, operator or shape</source>
        <translation>Knoten nach Name, Operator oder Form finden</translation>
    </message>
    <message>
        <source>Find nodes by name, operator or shape, or words in the code on show</source>
        <translation>Knoten nach Name, Operator oder Form finden, oder Wörter im gezeigten Code</translation>
    </message>
    <message>
        <source>Find s&amp;tages…</source>
        <translation>S&amp;tufen suchen…</translation>
    </message>
    <message>
        <source>Find stages</source>
        <translation>Stufen suchen</translation>
    </message>
    <message>
        <source>Find stages again.</source>
        <translation>Die Stufen neu suchen.</translation>
    </message>
    <message>
        <source>Find text</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Finding design spaces</source>
        <translation>Suchräume ermitteln</translation>
    </message>
    <message>
        <source>Finding stages</source>
        <translation>Stufen suchen</translation>
    </message>
    <message>
        <source>Finding stages: {measured} measured, at most {open} to come</source>
        <translation>Stufen suchen: {measured} gemessen, höchstens {open} offen</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Floating-point operations a second</source>
        <translation>Gleitkommaoperationen je Sekunde</translation>
    </message>
    <message>
        <source>Floating-point operations a second at the best latency</source>
        <translation>Gleitkommaoperationen je Sekunde bei der besten Latenz</translation>
    </message>
    <message>
        <source>Floating-point operations of its kernels</source>
        <translation>Gleitkommaoperationen ihrer Kernel</translation>
    </message>
    <message>
        <source>Floating-point operations of one call</source>
        <translation>Gleitkommaoperationen eines Aufrufs</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Klappen</translation>
    </message>
    <message>
        <source>Fold blocks that repeat; a double click opens or folds one</source>
        <translation>Klappt wiederholte Blöcke zu; ein Doppelklick klappt einen auf oder zu</translation>
    </message>
    <message>
        <source>Follo&amp;w the tuner</source>
        <translation>Dem Tuner &amp;folgen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forget {path}</source>
        <translation>{path} vergessen</translation>
    </message>
    <message>
        <source>Form of the bound</source>
        <translation>Form der Schranke</translation>
    </message>
    <message>
        <source>Forward again (Alt+Right)</source>
        <translation>Wieder vorwärts (Alt+Rechts)</translation>
    </message>
    <message>
        <source>Forward →</source>
        <translation>Vor →</translation>
    </message>
    <message>
        <source>Free some space or save to another place; what was stored before is safe.</source>
        <translation>Platz schaffen oder anderswo speichern; was vorher gespeichert war, ist sicher.</translation>
    </message>
    <message>
        <source>Free some space there; then resume the run.</source>
        <translation>Dort Platz schaffen; den Lauf dann fortsetzen.</translation>
    </message>
    <message>
        <source>Frequency</source>
        <translation>Häufigkeit</translation>
    </message>
    <message>
        <source>Fresh samples</source>
        <translation>Neue Kandidaten</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>From trial</source>
        <translation>Von Vers.</translation>
    </message>
    <message>
        <source>Further</source>
        <translation>Weiteres</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Gain and bonus, the upper confidence bound: the largest gets the slot</source>
        <translation>Gewinn und Bonus, die obere Vertrauensschranke: die größte bekommt den Slot</translation>
    </message>
    <message>
        <source>Gained</source>
        <translation>Gewonnen</translation>
    </message>
    <message>
        <source>Gains by source</source>
        <translation>Gewinne nach Quelle</translation>
    </message>
    <message>
        <source>Gains by source, in words</source>
        <translation>Gewinne nach Quelle, in Worten</translation>
    </message>
    <message>
        <source>Generations</source>
        <translation>Generationen</translation>
    </message>
    <message>
        <source>Give -1000 to 1000.</source>
        <translation>-1000 bis 1000 geben.</translation>
    </message>
    <message>
        <source>Give 0 to 1.</source>
        <translation>0 bis 1 geben.</translation>
    </message>
    <message>
        <source>Give a YAML file.</source>
        <translation>Eine YAML-Datei angeben.</translation>
    </message>
    <message>
        <source>Give a shorter one.</source>
        <translation>Einen kürzeren angeben.</translation>
    </message>
    <message>
        <source>Give a size from {low} to {high}, or export the program again.</source>
        <translation>Eine Größe von {low} bis {high} geben oder das Programm neu exportieren.</translation>
    </message>
    <message>
        <source>Give a size of {low} at least, or export the program again.</source>
        <translation>Eine Größe von mindestens {low} geben oder das Programm neu exportieren.</translation>
    </message>
    <message>
        <source>Give a smaller shape.</source>
        <translation>Eine kleinere Form geben.</translation>
    </message>
    <message>
        <source>Give all of them.</source>
        <translation>Alle angeben.</translation>
    </message>
    <message>
        <source>Give an even number of {needed} or more.</source>
        <translation>Eine gerade Zahl ab {needed} geben.</translation>
    </message>
    <message>
        <source>Give another host or port.</source>
        <translation>Einen anderen Host oder Port angeben.</translation>
    </message>
    <message>
        <source>Give another one.</source>
        <translation>Einen anderen angeben.</translation>
    </message>
    <message>
        <source>Give another port.</source>
        <translation>Einen anderen Port angeben.</translation>
    </message>
    <message>
        <source>Give another value.</source>
        <translation>Einen anderen Wert geben.</translation>
    </message>
    <message>
        <source>Give as much patience as gathering or more.</source>
        <translation>Mindestens so viel Geduld wie Sammelzeit geben.</translation>
    </message>
    <message>
        <source>Give each a name of its own.</source>
        <translation>Jedem einen eigenen Namen geben.</translation>
    </message>
    <message>
        <source>Give each input one shape.</source>
        <translation>Jeder Eingabe eine Form geben.</translation>
    </message>
    <message>
        <source>Give each input one value.</source>
        <translation>Jeder Eingabe einen Wert geben.</translation>
    </message>
    <message>
        <source>Give each shape of the set for the same inputs.</source>
        <translation>Jede Form der Menge für dieselben Eingaben angeben.</translation>
    </message>
    <message>
        <source>Give each shape once, with how often it occurs.</source>
        <translation>Jede Form einmal angeben, mit ihrer Häufigkeit.</translation>
    </message>
    <message>
        <source>Give it a shape as well, like {name}=1x2.</source>
        <translation>Ihr auch eine Form geben, etwa {name}=1x2.</translation>
    </message>
    <message>
        <source>Give it.</source>
        <translation>Es angeben.</translation>
    </message>
    <message>
        <source>Give its shape like {item}={dims}.</source>
        <translation>Ihre Form angeben wie {item}={dims}.</translation>
    </message>
    <message>
        <source>Give its target, such as raspberry-pi-4 or {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;cortex-a72&quot;, &quot;mtriple&quot;: &quot;aarch64-linux-gnu&quot;, &quot;num-cores&quot;: 4}.</source>
        <translation>Sein Target angeben, etwa raspberry-pi-4 oder {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;cortex-a72&quot;, &quot;mtriple&quot;: &quot;aarch64-linux-gnu&quot;, &quot;num-cores&quot;: 4}.</translation>
    </message>
    <message>
        <source>Give more than zero.</source>
        <translation>Mehr als null geben.</translation>
    </message>
    <message>
        <source>Give num-cores above zero.</source>
        <translation>num-cores über null geben.</translation>
    </message>
    <message>
        <source>Give options by name.</source>
        <translation>Optionen mit Namen geben.</translation>
    </message>
    <message>
        <source>Give or take</source>
        <translation>Plus/minus</translation>
    </message>
    <message>
        <source>Give other input shapes, or export the model again.</source>
        <translation>Andere Eingabeformen geben oder das Modell neu exportieren.</translation>
    </message>
    <message>
        <source>Give sizes, such as these ({why}): {sizes}.</source>
        <translation>Größen geben, etwa diese ({why}): {sizes}.</translation>
    </message>
    <message>
        <source>Give sizes, such as these: {sizes}.</source>
        <translation>Größen geben, etwa diese: {sizes}.</translation>
    </message>
    <message>
        <source>Give smaller input shapes, close other programs, or use a larger machine.</source>
        <translation>Kleinere Eingabeformen geben, andere Programme schließen, oder eine größere Maschine nehmen.</translation>
    </message>
    <message>
        <source>Give smaller input shapes, or export the model in smaller parts.</source>
        <translation>Kleinere Eingabeformen geben oder das Modell in kleineren Teilen exportieren.</translation>
    </message>
    <message>
        <source>Give smaller input shapes.</source>
        <translation>Kleinere Eingabeformen geben.</translation>
    </message>
    <message>
        <source>Give static shapes.</source>
        <translation>Feste Formen geben.</translation>
    </message>
    <message>
        <source>Give the command its first keys</source>
        <translation>Dem Befehl seine ersten Tasten geben</translation>
    </message>
    <message>
        <source>Give the keys to this command alone</source>
        <translation>Die Tasten nur diesem Befehl geben</translation>
    </message>
    <message>
        <source>Give the path of a .tune file.</source>
        <translation>Den Pfad einer .tune-Datei angeben.</translation>
    </message>
    <message>
        <source>Give the shapes that the model was made for.</source>
        <translation>Die Formen geben, für die das Modell gemacht ist.</translation>
    </message>
    <message>
        <source>Give the shapes that the program was made for.</source>
        <translation>Die Formen geben, für die das Programm gemacht ist.</translation>
    </message>
    <message>
        <source>Give up to {most}.</source>
        <translation>Bis zu {most} angeben.</translation>
    </message>
    <message>
        <source>Give whole numbers above zero.</source>
        <translation>Ganze Zahlen über null geben.</translation>
    </message>
    <message>
        <source>Give {value}.</source>
        <translation>Möglich ist: {value}.</translation>
    </message>
    <message>
        <source>Give {wanted} there.</source>
        <translation>Dort {wanted} geben.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Go on in the background</source>
        <translation>Im Hintergrund weiter</translation>
    </message>
    <message>
        <source>Go on tuning {project}, or give another name.</source>
        <translation>{project} weiter tunen oder einen anderen Namen geben.</translation>
    </message>
    <message>
        <source>Go on with it instead.</source>
        <translation>Ihn stattdessen fortsetzen.</translation>
    </message>
    <message>
        <source>Go on with the settings of the last run</source>
        <translation>Mit den Einstellungen des letzten Laufs weitermachen</translation>
    </message>
    <message>
        <source>Go on without a reference</source>
        <translation>Ohne Referenz weitermachen</translation>
    </message>
    <message>
        <source>Go on without a reference, or export the model again.</source>
        <translation>Ohne Referenz weitermachen oder das Modell neu exportieren.</translation>
    </message>
    <message>
        <source>Go to #</source>
        <translation>Zu #</translation>
    </message>
    <message>
        <source>Go to &amp;graph</source>
        <translation>Zum &amp;Graphen</translation>
    </message>
    <message>
        <source>Go to &amp;inspector</source>
        <translation>Zum &amp;Inspektor</translation>
    </message>
    <message>
        <source>Go to &amp;project</source>
        <translation>Zum &amp;Projekt</translation>
    </message>
    <message>
        <source>Go to &amp;tasks</source>
        <translation>Zu den &amp;Tasks</translation>
    </message>
    <message>
        <source>Go to a trial by its number (Enter)</source>
        <translation>Zu einem Versuch nach seiner Nummer (Enter)</translation>
    </message>
    <message>
        <source>Go to allocation</source>
        <translation>Zur Zuteilung</translation>
    </message>
    <message>
        <source>Go to clusters</source>
        <translation>Zu den Clustern</translation>
    </message>
    <message>
        <source>Go to code</source>
        <translation>Zum Code</translation>
    </message>
    <message>
        <source>Go to con&amp;vergence</source>
        <translation>Zur &amp;Konvergenz</translation>
    </message>
    <message>
        <source>Go to droplet</source>
        <translation>Zu Droplet</translation>
    </message>
    <message>
        <source>Go to jobs</source>
        <translation>Zu den Jobs</translation>
    </message>
    <message>
        <source>Go to knobs</source>
        <translation>Zu den Reglern</translation>
    </message>
    <message>
        <source>Go to l&amp;og</source>
        <translation>Zum Pr&amp;otokoll</translation>
    </message>
    <message>
        <source>Go to layers</source>
        <translation>Zu den Schichten</translation>
    </message>
    <message>
        <source>Go to sources</source>
        <translation>Zu den Quellen</translation>
    </message>
    <message>
        <source>Go to stages</source>
        <translation>Zu den Stufen</translation>
    </message>
    <message>
        <source>Go to task {name}</source>
        <translation>Zum Task {name}</translation>
    </message>
    <message>
        <source>Go to timeline</source>
        <translation>Zum Ablauf</translation>
    </message>
    <message>
        <source>Go to transfers</source>
        <translation>Zu den Transfers</translation>
    </message>
    <message>
        <source>Go to tri&amp;als</source>
        <translation>Zu den &amp;Versuchen</translation>
    </message>
    <message>
        <source>Go to trial by nu&amp;mber</source>
        <translation>Zum Versuch n&amp;ach Nummer</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Greedy, by levels</source>
        <translation>Greedy, Ebenen</translation>
    </message>
    <message>
        <source>Groups a stage (s)</source>
        <translation>Gruppen je Stufe (s)</translation>
    </message>
    <message>
        <source>Guided first run</source>
        <translation>Geführter erster Lauf</translation>
    </message>
    <message>
        <source>Half the bytes, on tensor cores: 10 bits after the point, up to 65504.</source>
        <translation>Halb so viele Bytes, auf Tensorkernen: 10 Bits hinter dem Komma, bis 65504.</translation>
    </message>
    <message>
        <source>Half the bytes, on tensor cores: the range of float32 and 7 bits after the point, so the largest difference.</source>
        <translation>Halb so viele Bytes, auf Tensorkernen: der Bereich von float32 und 7 Bits hinter dem Komma, also die größte Abweichung.</translation>
    </message>
    <message>
        <source>Have the queue of jobs tune a model file</source>
        <translation>Eine Modelldatei von der Warteschlange tunen lassen</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>Hilfeseite</translation>
    </message>
    <message>
        <source>Help – Tunewright</source>
        <translation>Hilfe – Tunewright</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Hold &amp;queue of jobs</source>
        <translation>&amp;Warteschlange anhalten</translation>
    </message>
    <message>
        <source>Hold queue</source>
        <translation>Warteschlange anhalten</translation>
    </message>
    <message>
        <source>Hold the marked job, or let it go on (Space)</source>
        <translation>Den markierten Job anhalten oder weiterlaufen lassen (Leertaste)</translation>
    </message>
    <message>
        <source>Hold the run, or let it go on</source>
        <translation>Den Lauf anhalten oder weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Holds for the next run of this project, over the head of any policy</source>
        <translation>Gilt für den nächsten Lauf dieses Projekts, vor jeder Strategie</translation>
    </message>
    <message>
        <source>Horizontal axis: trials (T)</source>
        <translation>Waagerechte Achse: Versuche (T)</translation>
    </message>
    <message>
        <source>Horizontal axis: tuning time (T)</source>
        <translation>Waagerechte Achse: Tuning-Zeit (T)</translation>
    </message>
    <message>
        <source>How alike tasks must be to use one schedule; 0 to 1</source>
        <translation>Wie ähnlich Tasks sein müssen, um einen Schedule zu teilen; 0 bis 1</translation>
    </message>
    <message>
        <source>How alike two design spaces are taken to be</source>
        <translation>Als wie ähnlich zwei Suchräume gelten</translation>
    </message>
    <message>
        <source>How fast {reference} runs this model is not known yet.</source>
        <translation>Wie schnell {reference} dieses Modell rechnet, ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>How freely tasks with smaller gains are drawn; 0: hardly ever</source>
        <translation>Wie frei Tasks mit kleinerem Gewinn gezogen werden; 0: fast nie</translation>
    </message>
    <message>
        <source>How likely such a gain would be by chance if the neighbour were no faster; slower ones are not compared</source>
        <translation>Wie wahrscheinlich ein solcher Gewinn Zufall wäre, wenn der Nachbar nicht schneller wäre; langsamere werden nicht verglichen</translation>
    </message>
    <message>
        <source>How likely the task was to be drawn</source>
        <translation>Wie wahrscheinlich es war, dass der Task gezogen wird</translation>
    </message>
    <message>
        <source>How long each walker goes; the first 100 are left out</source>
        <translation>Wie weit jeder Walker geht; die ersten 100 zählen nicht</translation>
    </message>
    <message>
        <source>How long it should still take</source>
        <translation>Wie lange es noch dauern sollte</translation>
    </message>
    <message>
        <source>How many a task gets before the next</source>
        <translation>Wie viele ein Task vor dem nächsten bekommt</translation>
    </message>
    <message>
        <source>How many candidates of each task are measured again at the end</source>
        <translation>Wie viele Kandidaten jedes Tasks am Ende noch einmal gemessen werden</translation>
    </message>
    <message>
        <source>How many cores {key} has is not told.</source>
        <translation>Wie viele Kerne {key} hat, ist nicht gesagt.</translation>
    </message>
    <message>
        <source>How many curves of the posterior the belief is made of</source>
        <translation>Aus wie vielen Kurven der Posterior-Verteilung die Annahme besteht</translation>
    </message>
    <message>
        <source>How many donors each task tries, best first</source>
        <translation>Wie viele Spender jeder Task versucht, die besten zuerst</translation>
    </message>
    <message>
        <source>How many groups may run side by side, at most</source>
        <translation>Wie viele Gruppen höchstens nebeneinander laufen</translation>
    </message>
    <message>
        <source>How many neighbours each task tries at most</source>
        <translation>Wie viele Nachbarn jeder Task höchstens versucht</translation>
    </message>
    <message>
        <source>How many of its representative&apos;s best each dependant measures</source>
        <translation>Wie viele der besten seines Vertreters jeder Abhängige misst</translation>
    </message>
    <message>
        <source>How many operators may follow each other in a group, at most</source>
        <translation>Wie viele Operatoren in einer Gruppe höchstens aufeinander folgen</translation>
    </message>
    <message>
        <source>How many sets of operators that share an input are merged, the largest first</source>
        <translation>Wie viele Mengen von Operatoren mit gemeinsamer Eingabe zusammengelegt werden, die größten zuerst</translation>
    </message>
    <message>
        <source>How many times faster it made the model; the factors multiply</source>
        <translation>Um welchen Faktor sie das Modell schneller machte; Faktoren multiplizieren sich</translation>
    </message>
    <message>
        <source>How many times faster than untuned</source>
        <translation>Wie viel Mal schneller als ungetunt</translation>
    </message>
    <message>
        <source>How many trials each merged operator gets on average</source>
        <translation>Wie viele Versuche jeder zusammengelegte Operator im Mittel bekommt</translation>
    </message>
    <message>
        <source>How many values were tried</source>
        <translation>Wie viele Werte versucht wurden</translation>
    </message>
    <message>
        <source>How much being unsure of a task counts for it: so many standard deviations; by the paper a constant of 2</source>
        <translation>Wie viel die Unsicherheit über einen Task für ihn zählt: so viele Standardabweichungen; in der Veröffentlichung eine Konstante von 2</translation>
    </message>
    <message>
        <source>How much of its budget is used</source>
        <translation>Wie viel des Budgets verbraucht ist</translation>
    </message>
    <message>
        <source>How near the tiles of one task come to those of the other once they are fitted to its extents: about the share of a schedule&apos;s speed that is left.</source>
        <translation>Wie nah die Kacheln des einen Tasks denen des anderen kommen, wenn sie an dessen Maße angepasst sind: etwa der Anteil vom Tempo eines Schedules, der bleibt.</translation>
    </message>
    <message>
        <source>How near their speed a task is taken to come</source>
        <translation>Wie nah ein Task ihrem Tempo kommen soll</translation>
    </message>
    <message>
        <source>How near to the best latency of all it must be</source>
        <translation>Wie nah an der besten Latenz von allen er sein muss</translation>
    </message>
    <message>
        <source>How often a task is drawn by lot</source>
        <translation>Wie oft ein Task ausgelost wird</translation>
    </message>
    <message>
        <source>How often it was better than all before</source>
        <translation>Wie oft sie besser war als alles zuvor</translation>
    </message>
    <message>
        <source>How often the model calls it</source>
        <translation>Wie oft das Modell ihn aufruft</translation>
    </message>
    <message>
        <source>How often the population evolves in a round</source>
        <translation>Wie oft die Population in einer Runde weiterentwickelt wird</translation>
    </message>
    <message>
        <source>How the belief&apos;s sampler went (S)</source>
        <translation>Wie der Sampler der Annahme lief (S)</translation>
    </message>
    <message>
        <source>How the gain and the bonus for being unsure are put into one number</source>
        <translation>Wie der Gewinn und der Bonus für Unsicherheit zu einer Zahl werden</translation>
    </message>
    <message>
        <source>How the operators are put into stages</source>
        <translation>Wie die Operatoren auf Stufen verteilt sind</translation>
    </message>
    <message>
        <source>How the operators of a stage run</source>
        <translation>Wie die Operatoren einer Stufe laufen</translation>
    </message>
    <message>
        <source>How the run ended</source>
        <translation>Wie der Lauf endete</translation>
    </message>
    <message>
        <source>How the search ended</source>
        <translation>Wie die Suche endete</translation>
    </message>
    <message>
        <source>How unsure the predicted gain is: its standard deviation</source>
        <translation>Wie unsicher der vorhergesagte Gewinn ist: seine Standardabweichung</translation>
    </message>
    <message>
        <source>IOS, both</source>
        <translation>IOS, beides</translation>
    </message>
    <message>
        <source>IOS, merged</source>
        <translation>IOS, zusammengelegt</translation>
    </message>
    <message>
        <source>IOS, side by side</source>
        <translation>IOS, nebeneinander</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Importing the model</source>
        <translation>Modell importieren</translation>
    </message>
    <message>
        <source>Importing the model into TVM</source>
        <translation>Das Modell in TVM importieren</translation>
    </message>
    <message>
        <source>Improved</source>
        <translation>Verbessert</translation>
    </message>
    <message>
        <source>In a CUDA Graph</source>
        <translation>In einem CUDA-Graphen</translation>
    </message>
    <message>
        <source>In order of arrival</source>
        <translation>In der Reihenfolge des Eintreffens</translation>
    </message>
    <message>
        <source>In {precision}, outputs differ from those of {reference} by {difference} at most.</source>
        <translation>In {precision} weichen die Ausgaben von denen von {reference} höchstens um {difference} ab.</translation>
    </message>
    <message>
        <source>Input shapes</source>
        <translation>Formen der Eingaben</translation>
    </message>
    <message>
        <source>Input {item} has {count} dimensions, and {given} has {own}.</source>
        <translation>Eingabe {item} hat {count} Dimensionen, und {given} hat {own}.</translation>
    </message>
    <message>
        <source>Input {item} is given {size} on axis {axis}, where &apos;{dim}&apos; is {wanted} elsewhere.</source>
        <translation>Eingabe {item} bekommt {size} auf Achse {axis}, wo &apos;{dim}&apos; anderswo {wanted} ist.</translation>
    </message>
    <message>
        <source>Input {item} is given {size} on axis {axis}, where the dimension is {wanted} in the model.</source>
        <translation>Eingabe {item} bekommt {size} auf Achse {axis}, wo die Dimension im Modell {wanted} ist.</translation>
    </message>
    <message>
        <source>Input {name} has no fixed shape yet.</source>
        <translation>Eingabe {name} hat noch keine feste Form.</translation>
    </message>
    <message>
        <source>Input {name} has no shape in the file.</source>
        <translation>Eingabe {name} hat in der Datei keine Form.</translation>
    </message>
    <message>
        <source>Input {name} has no value for its dynamic dimension {dims}.</source>
        <translation>Eingabe {name} hat keinen Wert für ihre offene Dimension {dims}.</translation>
    </message>
    <message>
        <source>Input {name} has no value for its dynamic dimensions {dims}.</source>
        <translation>Eingabe {name} hat keine Werte für ihre offenen Dimensionen {dims}.</translation>
    </message>
    <message>
        <source>Input {name} is a number, not a tensor.</source>
        <translation>Eingabe {name} ist eine Zahl, kein Tensor.</translation>
    </message>
    <message>
        <source>Input {name} is given two shapes.</source>
        <translation>Eingabe {name} bekommt zwei Formen.</translation>
    </message>
    <message>
        <source>Input {name} is given two values.</source>
        <translation>Eingabe {name} bekommt zwei Werte.</translation>
    </message>
    <message>
        <source>Input {name} is of a type that TVM lacks.</source>
        <translation>Eingabe {name} ist von einem Typ, den TVM nicht hat.</translation>
    </message>
    <message>
        <source>Input {name} of type {dtype} cannot be {number:g}.</source>
        <translation>Eingabe {name} vom Typ {dtype} kann nicht {number:g} sein.</translation>
    </message>
    <message>
        <source>Input {value} is not a tensor of numbers.</source>
        <translation>Eingabe {value} ist kein Tensor von Zahlen.</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Inputs that may be padded where no shape is theirs, each with its value; where this is empty they are refused.</source>
        <translation>Eingaben, die aufgefüllt werden dürfen, wenn keine Form ihre ist, jede mit ihrem Wert; ist das leer, werden sie abgelehnt.</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Install Python there.</source>
        <translation>Dort Python installieren.</translation>
    </message>
    <message>
        <source>Install Tunewright again, or tune without it.</source>
        <translation>Tunewright neu installieren oder ohne sie tunen.</translation>
    </message>
    <message>
        <source>Install binutils (ld) or a C compiler.</source>
        <translation>binutils (ld) oder einen C-Compiler installieren.</translation>
    </message>
    <message>
        <source>Install it there: {install}.</source>
        <translation>Es dort installieren: {install}.</translation>
    </message>
    <message>
        <source>Install it with: pip install {package}.</source>
        <translation>Installieren mit: pip install {package}.</translation>
    </message>
    <message>
        <source>Install lld, binutils-{machine}-linux-gnu, or by pip install &apos;tunewright[boards]&apos; the package ziglang.</source>
        <translation>lld, binutils-{machine}-linux-gnu oder mit pip install &apos;tunewright[boards]&apos; das Paket ziglang installieren.</translation>
    </message>
    <message>
        <source>Install onnx again with pip, or open a model of your own.</source>
        <translation>onnx mit pip neu installieren oder ein eigenes Modell öffnen.</translation>
    </message>
    <message>
        <source>Install the client of OpenSSH.</source>
        <translation>Das Programm ssh von OpenSSH installieren.</translation>
    </message>
    <message>
        <source>Install the extra cublas, or take the runs out of use that found them.</source>
        <translation>Das Extra cublas installieren oder die Läufe aus dem Gebrauch nehmen, die sie gefunden haben.</translation>
    </message>
    <message>
        <source>Install the same version on both sides.</source>
        <translation>Auf beiden Seiten dieselbe Version installieren.</translation>
    </message>
    <message>
        <source>Install the whole of Python there.</source>
        <translation>Dort Python vollständig installieren.</translation>
    </message>
    <message>
        <source>Interface si&amp;ze</source>
        <translation>Größe der Oberfl&amp;äche</translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation>Verschränkt</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>It begins between {first} and {node}, the first that is seen to differ ({ours} for {theirs}).</source>
        <translation>Es beginnt zwischen {first} und {node}, wo es zuerst zu sehen ist ({ours} statt {theirs}).</translation>
    </message>
    <message>
        <source>It cannot run in stages; report the model.</source>
        <translation>Es kann nicht in Stufen laufen; das Modell melden.</translation>
    </message>
    <message>
        <source>It ends at the first limit it reaches, or when it has nothing left to try.</source>
        <translation>Er endet am ersten Limit, das er erreicht, oder wenn er nichts mehr zu versuchen hat.</translation>
    </message>
    <message>
        <source>It ends when nothing can be faster, or when the time is over; the best so far is kept. What was measured is stored: another search goes on from there.</source>
        <translation>Sie endet, wenn nichts schneller sein kann oder die Zeit um ist; der bisher beste bleibt. Gemessenes wird gespeichert: Eine weitere Suche macht dort weiter.</translation>
    </message>
    <message>
        <source>It gives {ours}, and {theirs} is right.</source>
        <translation>Es gibt {ours}, und {theirs} ist richtig.</translation>
    </message>
    <message>
        <source>It goes on by itself once the machine can be reached again.</source>
        <translation>Es geht von selbst weiter, sobald die Maschine wieder erreichbar ist.</translation>
    </message>
    <message>
        <source>It goes on by itself once there is one again.</source>
        <translation>Es geht von selbst weiter, sobald es wieder eine gibt.</translation>
    </message>
    <message>
        <source>It has none.</source>
        <translation>Es gibt keine.</translation>
    </message>
    <message>
        <source>It has {names}.</source>
        <translation>Es gibt {names}.</translation>
    </message>
    <message>
        <source>It is measured when the first run begins: choose this budget after that.</source>
        <translation>Das wird gemessen, wenn der erste Lauf beginnt: Danach kann dieses Budget gewählt werden.</translation>
    </message>
    <message>
        <source>It is not known yet what the target can.</source>
        <translation>Was das Target kann, ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>It is read by ssh while it is tuned there, and never changed. A login by ssh must ask for nothing: neither for a password nor about the machine&apos;s key. The help (F1) says how.</source>
        <translation>Es wird per ssh gelesen, während es dort getunt wird, und nie verändert. Eine Anmeldung per ssh darf nach nichts fragen: weder nach einem Passwort noch wegen des Schlüssels des Rechners. Die Hilfe (F1) sagt, wie.</translation>
    </message>
    <message>
        <source>It is {name}{signature}.</source>
        <translation>Sie ist {name}{signature}.</translation>
    </message>
    <message>
        <source>It knew what earlier runs had measured.</source>
        <translation>Ihm war bekannt, was frühere Läufe gemessen hatten.</translation>
    </message>
    <message>
        <source>It measures the kernels as they are: press Start to tune them first.</source>
        <translation>Gemessen werden die Kernel, wie sie sind: Start drücken, um sie zuerst zu tunen.</translation>
    </message>
    <message>
        <source>It runs what is added here, too.</source>
        <translation>Es führt auch aus, was hier hinzukommt.</translation>
    </message>
    <message>
        <source>It said nothing.</source>
        <translation>Er sagte nichts.</translation>
    </message>
    <message>
        <source>It still takes {ratio} the time of {reference}: tune longer. {task} has most of the latency, {share}.</source>
        <translation>Es braucht noch {ratio} die Zeit von {reference}: länger tunen. {task} hat den größten Teil der Latenz, {share}.</translation>
    </message>
    <message>
        <source>It takes too long.</source>
        <translation>Es dauert zu lange.</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>It was in {folder}.</source>
        <translation>Sie war in {folder}.</translation>
    </message>
    <message>
        <source>It was measured on {device}, not on {target}.</source>
        <translation>Gemessen auf {device}, nicht auf {target}.</translation>
    </message>
    <message>
        <source>It was stopped</source>
        <translation>Sie wurde beendet</translation>
    </message>
    <message>
        <source>Its export would be refused.</source>
        <translation>Der Export würde abgelehnt.</translation>
    </message>
    <message>
        <source>Its first result stays.</source>
        <translation>Sein erstes Ergebnis bleibt.</translation>
    </message>
    <message>
        <source>Its inputs are: {names}.</source>
        <translation>Seine Eingaben sind: {names}.</translation>
    </message>
    <message>
        <source>Its kernels take {sum} together when each runs alone: calling them took longer then, or the machine was slower.</source>
        <translation>Die Kernel brauchen zusammen {sum}, wenn jeder allein läuft: Ihre Aufrufe dauerten dabei länger, oder die Maschine war langsamer.</translation>
    </message>
    <message>
        <source>Its kernels take {sum} together when each runs alone: in the model they find their data out of the caches, and calling them takes time.</source>
        <translation>Die Kernel brauchen zusammen {sum}, wenn jeder allein läuft: Im Modell liegen ihre Daten nicht mehr im Cache, und ihre Aufrufe kosten Zeit.</translation>
    </message>
    <message>
        <source>Its kernels take {sum} together: the rest may be the disturbance.</source>
        <translation>Die Kernel brauchen zusammen {sum}: Der Rest kann die Störung sein.</translation>
    </message>
    <message>
        <source>Its kind must be llvm or cuda.</source>
        <translation>Seine Art muss llvm oder cuda sein.</translation>
    </message>
    <message>
        <source>Its place in the order in which layers run</source>
        <translation>Ihr Platz in der Reihenfolge, in der Schichten laufen</translation>
    </message>
    <message>
        <source>Its process died ({how}).</source>
        <translation>Sein Prozess ist gestorben ({how}).</translation>
    </message>
    <message>
        <source>Its speed / the most that the device can do in float32; not known before a run on this machine measured that</source>
        <translation>Ihr Tempo / das Höchste, was das Gerät in float32 kann; unbekannt, bis ein Lauf auf dieser Maschine das gemessen hat</translation>
    </message>
    <message>
        <source>Its speed over that of its representative</source>
        <translation>Sein Tempo durch das seines Vertreters</translation>
    </message>
    <message>
        <source>Its task</source>
        <translation>Sein Task</translation>
    </message>
    <message>
        <source>Its time over that of the fastest</source>
        <translation>Die Zeit durch die des schnellsten</translation>
    </message>
    <message>
        <source>Its value in the fastest trial</source>
        <translation>Sein Wert im schnellsten Versuch</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Job {number} is over and cannot be cancelled.</source>
        <translation>Job {number} ist vorbei und kann nicht abgebrochen werden.</translation>
    </message>
    <message>
        <source>Job {number} is over and cannot be given a priority.</source>
        <translation>Job {number} ist vorbei und kann keine Priorität bekommen.</translation>
    </message>
    <message>
        <source>Job {number} is over and cannot be moved.</source>
        <translation>Job {number} ist vorbei und kann nicht verschoben werden.</translation>
    </message>
    <message>
        <source>Job {number} is over and cannot be paused.</source>
        <translation>Job {number} ist vorbei und kann nicht angehalten werden.</translation>
    </message>
    <message>
        <source>Job {number} is over and cannot be unpaused.</source>
        <translation>Job {number} ist vorbei und kann nicht weitergehen.</translation>
    </message>
    <message>
        <source>Job {number} runs.</source>
        <translation>Job {number} läuft.</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Jobs at &amp;once</source>
        <translation>Jobs &amp;gleichzeitig</translation>
    </message>
    <message>
        <source>Jobs go on</source>
        <translation>Jobs sind im Gange</translation>
    </message>
    <message>
        <source>Jobs needs the real engine: this window replays a recording, or has none yet.</source>
        <translation>Jobs braucht die echte Engine: dieses Fenster spielt eine Aufzeichnung nach oder hat noch keine.</translation>
    </message>
    <message>
        <source>Jobs with little left go first, then short stages, by learned seconds</source>
        <translation>Jobs, denen wenig fehlt, zuerst, dann kurze Abschnitte, nach gelernten Sekunden</translation>
    </message>
    <message>
        <source>Join both into one.</source>
        <translation>Beide zusammenlegen.</translation>
    </message>
    <message>
        <source>Jump</source>
        <translation>Sprung</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep all of it in sight; a pan or zoom ends that</source>
        <translation>Alles im Blick behalten; Schieben oder Zoomen beendet das</translation>
    </message>
    <message>
        <source>Keep all of the run in sight (F)</source>
        <translation>Den ganzen Lauf im Blick behalten (F)</translation>
    </message>
    <message>
        <source>Keep longer texts in a file, and note its name.</source>
        <translation>Längere Texte in einer Datei aufbewahren und deren Namen notieren.</translation>
    </message>
    <message>
        <source>Keep running, minimised</source>
        <translation>Weiterlaufen, minimiert</translation>
    </message>
    <message>
        <source>Keep the arrangement of panels by a name</source>
        <translation>Die Anordnung der Bereiche unter einem Namen behalten</translation>
    </message>
    <message>
        <source>Keep the best records, traces and latencies, as donors for other models</source>
        <translation>Die besten Records, Traces und Latenzen, als Spender für andere Modelle behalten</translation>
    </message>
    <message>
        <source>Keep the last seconds in sight (F)</source>
        <translation>Die letzten Sekunden im Blick behalten (F)</translation>
    </message>
    <message>
        <source>Keep the weight files in the model&apos;s own folder, and export with relative paths.</source>
        <translation>Die Gewichtsdateien im Ordner des Modells aufbewahren und mit relativen Pfaden exportieren.</translation>
    </message>
    <message>
        <source>Kept in the project file as you type</source>
        <translation>Wird beim Tippen in der Projektdatei behalten</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Kernels are compiled here and measured there, by a server of TVM&apos;s that has registered under this key. The help (F1) says how to start it.</source>
        <translation>Kernel werden hier kompiliert und dort gemessen, von einem Server von TVM, der sich unter diesem Schlüssel angemeldet hat. Wie er gestartet wird, sagt die Hilfe (F1).</translation>
    </message>
    <message>
        <source>Kernels of earlier runs were timed with the launch from the host, up to 5 us, those of this run without: short ones look faster now. Start a new project to have all timed alike.</source>
        <translation>Kernel früherer Läufe wurden mit ihrem Start vom Host aus gemessen, bis zu 5 us, die dieses Laufs ohne: Kurze sehen jetzt schneller aus. Ein neues Projekt beginnen, damit alle gleich gemessen werden.</translation>
    </message>
    <message>
        <source>Kernels of the model call cuBLASLt, which is not installed here.</source>
        <translation>Kernel des Modells rufen cuBLASLt auf, das hier nicht installiert ist.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Kind of step to add</source>
        <translation>Art des neuen Schritts</translation>
    </message>
    <message>
        <source>Knob</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>Knobs</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>Knobs against latency</source>
        <translation>Regler gegen die Latenz</translation>
    </message>
    <message>
        <source>Knobs side by side</source>
        <translation>Regler nebeneinander</translation>
    </message>
    <message>
        <source>LLVM knows no feature {names}.</source>
        <translation>LLVM kennt die Fähigkeit {names} nicht.</translation>
    </message>
    <message>
        <source>LLVM knows no processor {mcpu!r}.</source>
        <translation>LLVM kennt keinen Prozessor {mcpu!r}.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Lasted</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Latencies that were confirmed before stay as they are.</source>
        <translation>Latenzen, die vorher bestätigt wurden, bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Latency before / latency after</source>
        <translation>Latenz vorher / Latenz nachher</translation>
    </message>
    <message>
        <source>Latency before over latency after, less 1: measured in turns where there is a p-value, else once</source>
        <translation>Latenz vorher durch Latenz nachher, minus 1: abwechselnd gemessen, wo es einen p-Wert gibt, sonst einmal</translation>
    </message>
    <message>
        <source>Latency by its stages. {stages}.</source>
        <translation>Latenz nach seinen Stufen. {stages}.</translation>
    </message>
    <message>
        <source>Latency by the limits r and s</source>
        <translation>Latenz nach den Grenzen r und s</translation>
    </message>
    <message>
        <source>Latency by the limits r and s of the search</source>
        <translation>Latenz nach den Grenzen r und s der Suche</translation>
    </message>
    <message>
        <source>Latency of one call after the run</source>
        <translation>Latenz eines Aufrufs nach dem Lauf</translation>
    </message>
    <message>
        <source>Latency of one call before the run</source>
        <translation>Latenz eines Aufrufs vor dem Lauf</translation>
    </message>
    <message>
        <source>Latency of sequential / latency of this way: measured where both are, else predicted</source>
        <translation>Latenz sequenziell / Latenz dieses Wegs: gemessen, wo beide es sind, sonst vorhergesagt</translation>
    </message>
    <message>
        <source>Latency of the task with this schedule, measured on this device</source>
        <translation>Latenz des Tasks mit diesem Schedule, auf diesem Gerät gemessen</translation>
    </message>
    <message>
        <source>Launches, waits, and what runs between kernels. Where it is, is not known.</source>
        <translation>Starts, Warten und was zwischen Kernen läuft. Wo es liegt, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message numerus="yes">
        <source>Laying out %n nodes…</source>
        <translation>
            <numerusform>%n Knoten wird angeordnet…</numerusform>
            <numerusform>%n Knoten werden angeordnet…</numerusform>
        </translation>
    </message>
    <message>
        <source>Layo&amp;uts</source>
        <translation>Anordn&amp;ungen</translation>
    </message>
    <message>
        <source>Least level shown in the log</source>
        <translation>Niedrigste Stufe, die das Protokoll zeigt</translation>
    </message>
    <message>
        <source>Least new candidates in a population</source>
        <translation>Mindestzahl neuer Kandidaten in einer Population</translation>
    </message>
    <message>
        <source>Least samples</source>
        <translation>Mindestens</translation>
    </message>
    <message>
        <source>Leave after</source>
        <translation>Ausscheiden nach</translation>
    </message>
    <message>
        <source>Leave at most {most_cells:,}.</source>
        <translation>Höchstens {most_cells:,} lassen.</translation>
    </message>
    <message>
        <source>Leave it out, or look under Troubleshooting in the help.</source>
        <translation>Es weglassen oder in der Hilfe unter Troubleshooting nachsehen.</translation>
    </message>
    <message>
        <source>Leave one of them.</source>
        <translation>Einen davon lassen.</translation>
    </message>
    <message>
        <source>Leave out lines that are equal</source>
        <translation>Gleiche Zeilen auslassen</translation>
    </message>
    <message>
        <source>Leave padding out.</source>
        <translation>Das Auffüllen weglassen.</translation>
    </message>
    <message>
        <source>Leave target, shape, values, precision and project out.</source>
        <translation>target, shape, values, precision und project weglassen.</translation>
    </message>
    <message>
        <source>Leave the open project to the queue of jobs</source>
        <translation>Das offene Projekt der Warteschlange überlassen</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>Führung verlassen</translation>
    </message>
    <message>
        <source>Leave them out, or leave resume out.</source>
        <translation>Sie weglassen oder resume weglassen.</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Let it go on</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Light text on dark</source>
        <translation>Helle Schrift auf Dunkel</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Line {line}: {what}</source>
        <translation>Zeile {line}: {what}</translation>
    </message>
    <message>
        <source>List one kind of them.</source>
        <translation>Nur eine Art davon nennen.</translation>
    </message>
    <message>
        <source>List {own}, too, or start a project for the others.</source>
        <translation>Auch {own} nennen oder ein Projekt für die anderen beginnen.</translation>
    </message>
    <message>
        <source>LiteRT cannot load the model: {error}.</source>
        <translation>LiteRT kann das Modell nicht laden: {error}.</translation>
    </message>
    <message>
        <source>LiteRT cannot run the model: {error}.</source>
        <translation>LiteRT kann das Modell nicht ausführen: {error}.</translation>
    </message>
    <message>
        <source>Load recording</source>
        <translation>Aufzeichnung laden</translation>
    </message>
    <message>
        <source>Load recording…</source>
        <translation>Aufzeichnung laden…</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>Lädt …</translation>
    </message>
    <message>
        <source>Locate model…</source>
        <translation>Modell suchen…</translation>
    </message>
    <message>
        <source>Locate {name}</source>
        <translation>{name} suchen</translation>
    </message>
    <message>
        <source>Locating the model</source>
        <translation>Modell wird gesucht</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log &amp;model</source>
        <translation>&amp;Modell log</translation>
    </message>
    <message>
        <source>Log in by ssh in a terminal once, and look at the key.</source>
        <translation>Einmal in einem Terminal mit ssh anmelden und den Schlüssel ansehen.</translation>
    </message>
    <message>
        <source>Log model</source>
        <translation>Modell log</translation>
    </message>
    <message>
        <source>Log tasks</source>
        <translation>Tasks log</translation>
    </message>
    <message>
        <source>Logarithmic scale above (M)</source>
        <translation>Logarithmische Skala oben (M)</translation>
    </message>
    <message>
        <source>Logarithmic scale below (L)</source>
        <translation>Logarithmische Skala unten (L)</translation>
    </message>
    <message>
        <source>Longest sampling</source>
        <translation>Längste Messung</translation>
    </message>
    <message>
        <source>Look at it on that machine.</source>
        <translation>Auf jener Maschine nachsehen.</translation>
    </message>
    <message>
        <source>Look by a terminal what a login there says.</source>
        <translation>In einem Terminal nachsehen, was eine Anmeldung dort ausgibt.</translation>
    </message>
    <message>
        <source>Look under Troubleshooting in the help; where all is well there, report the model.</source>
        <translation>In der Hilfe unter Troubleshooting nachsehen; ist dort alles gut, das Modell melden.</translation>
    </message>
    <message>
        <source>Looking at its operators</source>
        <translation>Seine Operatoren ansehen</translation>
    </message>
    <message numerus="yes">
        <source>Looking at the design spaces of %n tasks …</source>
        <translation>
            <numerusform>Der Suchraum von %n Task wird untersucht …</numerusform>
            <numerusform>Die Suchräume von %n Tasks werden untersucht …</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for the first node that differs, nodes left: {about}</source>
        <translation>Ersten abweichenden Knoten suchen, Knoten übrig: {about}</translation>
    </message>
    <message>
        <source>Looking up the target&apos;s peak speed</source>
        <translation>Die Spitzengeschwindigkeit des Ziels nachsehen</translation>
    </message>
    <message>
        <source>Lowering and fusing operators</source>
        <translation>Operatoren absenken und fusionieren</translation>
    </message>
    <message>
        <source>Make &amp;representative</source>
        <translation>Zum &amp;Vertreter machen</translation>
    </message>
    <message>
        <source>Make a project of the shape that stages are wanted for.</source>
        <translation>Ein Projekt mit der Form anlegen, für die Stufen gewünscht sind.</translation>
    </message>
    <message>
        <source>Make it, or choose another folder.</source>
        <translation>Ihn anlegen oder einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Make it, or choose another.</source>
        <translation>Ihn anlegen oder einen anderen wählen.</translation>
    </message>
    <message>
        <source>Make plain tensors of them before torch.export.export.</source>
        <translation>Vor torch.export.export einfache Tensoren daraus machen.</translation>
    </message>
    <message>
        <source>Make room or change the permissions there, or name another folder by the variable XDG_DATA_HOME.</source>
        <translation>Dort Platz schaffen, die Rechte ändern oder mit der Variablen XDG_DATA_HOME einen anderen Ordner nennen.</translation>
    </message>
    <message>
        <source>Make room there, or set TMPDIR to a folder with more.</source>
        <translation>Dort Platz schaffen oder TMPDIR auf einen Ordner mit mehr setzen.</translation>
    </message>
    <message>
        <source>Makes the proposals repeatable</source>
        <translation>Macht die Vorschläge wiederholbar</translation>
    </message>
    <message>
        <source>Mark two rows (Ctrl and click) to see what differs</source>
        <translation>Zwei Zeilen markieren (Strg und Klick), um Unterschiede zu sehen</translation>
    </message>
    <message>
        <source>Mark two rows first.</source>
        <translation>Erst zwei Zeilen markieren.</translation>
    </message>
    <message>
        <source>Mean seconds of a slot of this task</source>
        <translation>Mittlere Sekunden eines Slots dieses Tasks</translation>
    </message>
    <message>
        <source>Measu&amp;re again</source>
        <translation>Neu messe&amp;n</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Neu messen</translation>
    </message>
    <message>
        <source>Measure again when the machine is quiet.</source>
        <translation>Neu messen, wenn die Maschine Ruhe hat.</translation>
    </message>
    <message>
        <source>Measure the whole model, untuned and tuned, and what runs its file</source>
        <translation>Das ganze Modell messen, ungetunt und getunt, und was seine Datei ausführt</translation>
    </message>
    <message>
        <source>Measure them again.</source>
        <translation>Sie neu messen.</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Measured end to end with the schedules of now.</source>
        <translation>Mit den jetzigen Schedules im Ganzen gemessen.</translation>
    </message>
    <message>
        <source>Measured for the donor, on the device named; it says nothing about this one</source>
        <translation>Für den Spender auf dem genannten Gerät gemessen; sagt nichts über dieses</translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Measurements included</source>
        <translation>Messungen eingerechnet</translation>
    </message>
    <message>
        <source>Measurements on a device go first, then the jobs in their order</source>
        <translation>Messungen auf einem Gerät zuerst, dann die Jobs in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>Measures the best schedules of other models on the tasks of the same class.</source>
        <translation>Misst die besten Schedules anderer Modelle an den Tasks derselben Klasse.</translation>
    </message>
    <message>
        <source>Measuring again</source>
        <translation>Neue Messung</translation>
    </message>
    <message>
        <source>Measuring the finalists again</source>
        <translation>Die Finalisten noch einmal messen</translation>
    </message>
    <message>
        <source>Measuring whole schedules in turns</source>
        <translation>Ganze Stufenpläne abwechselnd messen</translation>
    </message>
    <message>
        <source>Measuring {about}</source>
        <translation>{about} messen</translation>
    </message>
    <message>
        <source>Median latency of one call</source>
        <translation>Median der Latenz eines Aufrufs</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Menu of the plot {name}</source>
        <translation>Menü des Diagramms {name}</translation>
    </message>
    <message>
        <source>Merge</source>
        <comment>step</comment>
        <translation>Merge</translation>
    </message>
    <message>
        <source>Merged operators</source>
        <translation>Zusammengelegte Operatoren</translation>
    </message>
    <message>
        <source>Merges</source>
        <translation>Legt zusammen</translation>
    </message>
    <message>
        <source>Merging operators</source>
        <translation>Operatoren zusammenlegen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>MetaSchedule&apos;s rule: the last drops of a task, and its latency over its slots.</source>
        <translation>Die Regel von MetaSchedule: die letzten Abfälle eines Tasks und seine Latenz durch seine Slots.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model graph</source>
        <translation>Graph des Modells</translation>
    </message>
    <message>
        <source>Model growth</source>
        <translation>Neues fürs Training</translation>
    </message>
    <message>
        <source>Model latency over tuning time</source>
        <translation>Latenz des Modells über der Tuning-Zeit</translation>
    </message>
    <message>
        <source>Model or task</source>
        <translation>Modell oder Task</translation>
    </message>
    <message>
        <source>Model update</source>
        <translation>Neues Training nach</translation>
    </message>
    <message>
        <source>Model warm-up</source>
        <translation>Anlauf des Modells</translation>
    </message>
    <message>
        <source>Model: {before} before, {after} after ({ratio}).</source>
        <translation>Modell: {before} vorher, {after} nachher ({ratio}).</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Most samples</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Most tasks were never tuned: Share tunes one of each cluster, and tries its schedules on the others.</source>
        <translation>Die meisten Tasks wurden nie getunt: Share tunt einen jedes Clusters und probiert seine Schedules an den anderen.</translation>
    </message>
    <message>
        <source>Move it away, or name another file.</source>
        <translation>Sie woanders hinlegen oder eine andere Datei nennen.</translation>
    </message>
    <message>
        <source>Move it away; a new one is made then, and the projects of its jobs stay.</source>
        <translation>Sie woanders hinlegen; dann entsteht eine neue, und die Projekte ihrer Jobs bleiben.</translation>
    </message>
    <message>
        <source>Move it away; projects that are added again make a new one.</source>
        <translation>Sie woanders hinlegen; Projekte, die neu hinzukommen, ergeben eine neue.</translation>
    </message>
    <message>
        <source>Move it back by hand.</source>
        <translation>Ihn von Hand zurücklegen.</translation>
    </message>
    <message>
        <source>Move panel to next side</source>
        <translation>Bereich zur nächsten Seite</translation>
    </message>
    <message>
        <source>Move the experiment&apos;s file to a folder that can be written to.</source>
        <translation>Die Datei des Experiments in einen beschreibbaren Ordner legen.</translation>
    </message>
    <message>
        <source>Move the marked job down (Alt+Down)</source>
        <translation>Den markierten Job nach unten (Alt+Abwärts)</translation>
    </message>
    <message>
        <source>Move the marked job up (Alt+Up)</source>
        <translation>Den markierten Job nach oben (Alt+Aufwärts)</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Moves each task&apos;s best schedule to a neighbour as long as that is surely faster.</source>
        <translation>Bewegt den besten Schedule jedes Tasks zu einem Nachbarn, solange der sicher schneller ist.</translation>
    </message>
    <message>
        <source>My &amp;library of records</source>
        <translation>Meine &amp;Bibliothek von Records</translation>
    </message>
    <message>
        <source>Name a .tune file in it.</source>
        <translation>Eine .tune-Datei darin nennen.</translation>
    </message>
    <message>
        <source>Name a file.</source>
        <translation>Eine Datei nennen.</translation>
    </message>
    <message>
        <source>Name a model file in it.</source>
        <translation>Eine Modelldatei darin nennen.</translation>
    </message>
    <message>
        <source>Name a model file.</source>
        <translation>Eine Modelldatei nennen.</translation>
    </message>
    <message>
        <source>Name each once.</source>
        <translation>Jedes nur einmal nennen.</translation>
    </message>
    <message>
        <source>Name its project, FILE.tune.</source>
        <translation>Sein Projekt nennen, FILE.tune.</translation>
    </message>
    <message>
        <source>Name jobs of the queue, each once.</source>
        <translation>Jobs der Warteschlange nennen, jeden einmal.</translation>
    </message>
    <message>
        <source>Name of the layout</source>
        <translation>Name der Anordnung</translation>
    </message>
    <message>
        <source>Name of the layout; one of the same name is replaced:</source>
        <translation>Name der Anordnung; eine gleichen Namens wird ersetzt:</translation>
    </message>
    <message>
        <source>Name of the wheel</source>
        <translation>Name des Wheels</translation>
    </message>
    <message>
        <source>Name one.</source>
        <translation>Eines nennen.</translation>
    </message>
    <message>
        <source>Name the model&apos;s file in it.</source>
        <translation>Die Modelldatei darin nennen.</translation>
    </message>
    <message>
        <source>Name three files in Dask&apos;s configuration; the help says how, under Jobs.</source>
        <translation>Drei Dateien in der Konfiguration von Dask nennen; wie, sagt die Hilfe unter Jobs.</translation>
    </message>
    <message>
        <source>Name, note</source>
        <translation>Name, Notiz</translation>
    </message>
    <message>
        <source>Name, operator or shape (Ctrl+F); Enter: the next, Shift+Enter: the last</source>
        <translation>Name, Operator oder Form (Strg+F); Enter: der nächste, Umschalt+Enter: der vorige</translation>
    </message>
    <message>
        <source>Ne&amp;xt part</source>
        <translation>&amp;Nächster Teil</translation>
    </message>
    <message>
        <source>Neighbours a task</source>
        <translation>Nachbarn je Task</translation>
    </message>
    <message>
        <source>Neighbours that Droplet went to</source>
        <translation>Nachbarn, zu denen Droplet ging</translation>
    </message>
    <message>
        <source>Neighbours tried</source>
        <translation>Versuchte Nachbarn</translation>
    </message>
    <message>
        <source>Neighbours tried, failed ones included</source>
        <translation>Versuchte Nachbarn, gescheiterte eingerechnet</translation>
    </message>
    <message>
        <source>Neither trial failed.</source>
        <translation>Keiner der Versuche ist gescheitert.</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Neue Tasten</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next</source>
        <comment>difference</comment>
        <translation>Nächste</translation>
    </message>
    <message>
        <source>No Dask scheduler answers at {address}.</source>
        <translation>Kein Dask-Scheduler antwortet bei {address}.</translation>
    </message>
    <message>
        <source>No Dask scheduler that your certificates fit answers at {address}.</source>
        <translation>Kein Dask-Scheduler, zu dem Ihre Zertifikate passen, antwortet bei {address}.</translation>
    </message>
    <message>
        <source>No Droplet pass yet: Droplet polishes each task&apos;s best schedule, one decision at a time. Press Droplet to begin.</source>
        <translation>Noch kein Durchgang mit Droplet: Droplet verfeinert den besten Schedule jedes Tasks, eine Entscheidung nach der anderen. Droplet drücken, um zu beginnen.</translation>
    </message>
    <message>
        <source>No Droplet pass yet: Droplet polishes each task&apos;s best schedule. Press Start to tune the model first.</source>
        <translation>Noch kein Durchgang mit Droplet: Droplet verfeinert den besten Schedule jedes Tasks. Zuerst Start drücken, um das Modell zu tunen.</translation>
    </message>
    <message>
        <source>No certificates are named for the cluster.</source>
        <translation>Für den Cluster sind keine Zertifikate genannt.</translation>
    </message>
    <message>
        <source>No clusters yet: Find clusters groups the tasks that can use one schedule.</source>
        <translation>Noch keine Cluster: „Cluster suchen“ gruppiert die Tasks, die einen Schedule teilen können.</translation>
    </message>
    <message>
        <source>No clusters yet: all tasks are tuned.</source>
        <translation>Noch keine Cluster: Alle Tasks werden getunt.</translation>
    </message>
    <message>
        <source>No dependant is weak.</source>
        <translation>Kein Abhängiger ist schwach.</translation>
    </message>
    <message>
        <source>No difference.</source>
        <translation>Kein Unterschied.</translation>
    </message>
    <message>
        <source>No donor has a task of a class that this model has.</source>
        <translation>Kein Spender hat einen Task einer Klasse, die dieses Modell hat.</translation>
    </message>
    <message>
        <source>No donors tried on this task: untick the box for those of all tasks.</source>
        <translation>Keine Spender an diesem Task versucht: Ohne das Häkchen erscheinen die aller Tasks.</translation>
    </message>
    <message>
        <source>No donors tried yet: Transfer measures the best schedules of other models on this one&apos;s tasks. Press Transfer, and choose project files or the library to take them from.</source>
        <translation>Noch keine Spender versucht: Transfer misst die besten Schedules anderer Modelle an den Tasks von diesem. Transfer drücken und Projektdateien oder die Bibliothek als Herkunft wählen.</translation>
    </message>
    <message>
        <source>No donors tried yet: press Transfer.</source>
        <translation>Noch keine Spender versucht: Transfer drücken.</translation>
    </message>
    <message>
        <source>No export yet: press Export</source>
        <translation>Noch kein Export: Exportieren drücken</translation>
    </message>
    <message>
        <source>No improvement found in {trials}: the model stays at {time}.</source>
        <translation>Keine Verbesserung gefunden ({trials}): Das Modell bleibt bei {time}.</translation>
    </message>
    <message>
        <source>No improvements yet: press Start, and each gain appears here by its source: search, shared, transferred or polished.</source>
        <translation>Noch keine Verbesserungen: Start drücken, und jeder Gewinn erscheint hier nach seiner Quelle: Suche, geteilt, übertragen oder verfeinert.</translation>
    </message>
    <message>
        <source>No inference was timed kernel by kernel yet: a run does that at its end, and Measure again at any time.</source>
        <translation>Noch wurde keine Inferenz Kern für Kern gemessen: ein Lauf tut das an seinem Ende, „Neu messen“ jederzeit.</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>Keine Taste</translation>
    </message>
    <message>
        <source>No knob has two values.</source>
        <translation>Kein Regler hat zwei Werte.</translation>
    </message>
    <message>
        <source>No least number</source>
        <translation>Keine Mindestzahl</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Kein Limit</translation>
    </message>
    <message>
        <source>No linker for {machine} is here.</source>
        <translation>Hier ist kein Linker für {machine}.</translation>
    </message>
    <message>
        <source>No linker is here.</source>
        <translation>Hier ist kein Linker.</translation>
    </message>
    <message>
        <source>No machine is called {host}.</source>
        <translation>Keine Maschine heißt {host}.</translation>
    </message>
    <message>
        <source>No measuring process could be started: {error}.</source>
        <translation>Es ließ sich kein Messprozess starten: {error}.</translation>
    </message>
    <message>
        <source>No model yet: open one, or try a sample.</source>
        <translation>Noch kein Modell: eines öffnen oder ein Beispiel versuchen.</translation>
    </message>
    <message>
        <source>No news for {time}: {step}</source>
        <translation>Seit {time} nichts Neues: {step}</translation>
    </message>
    <message>
        <source>No news for {time}: {step} (usually {usual})</source>
        <translation>Seit {time} nichts Neues: {step} (sonst {usual})</translation>
    </message>
    <message>
        <source>No operators of one input look as if they may be merged.</source>
        <translation>Keine Operatoren einer Eingabe sehen so aus, als ließen sie sich zusammenlegen.</translation>
    </message>
    <message>
        <source>No operators of this model may be merged.</source>
        <translation>Kein Operator dieses Modells lässt sich mit anderen zusammenlegen.</translation>
    </message>
    <message>
        <source>No page has all these words. Try fewer, or other ones.</source>
        <translation>Keine Seite hat alle diese Wörter. Weniger oder andere versuchen.</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>Kein Projekt ist offen.</translation>
    </message>
    <message>
        <source>No recording is open.</source>
        <translation>Keine Aufzeichnung ist offen.</translation>
    </message>
    <message>
        <source>No reference</source>
        <translation>Keine Referenz</translation>
    </message>
    <message>
        <source>No result for {time}, and nothing is under way: see the log</source>
        <translation>Seit {time} kein Ergebnis, und nichts ist im Gange: siehe Protokoll</translation>
    </message>
    <message>
        <source>No result for {time}: {waits}</source>
        <translation>Seit {time} kein Ergebnis: {waits}</translation>
    </message>
    <message>
        <source>No results yet: press Start to tune the model.</source>
        <translation>Noch keine Ergebnisse: Start drücken, um das Modell zu tunen.</translation>
    </message>
    <message>
        <source>No run goes on.</source>
        <translation>Kein Lauf ist im Gang.</translation>
    </message>
    <message>
        <source>No run has results yet: press Start.</source>
        <translation>Noch keine Ergebnisse: Start drücken.</translation>
    </message>
    <message>
        <source>No run yet: press Start</source>
        <translation>Noch kein Lauf: Start drücken</translation>
    </message>
    <message>
        <source>No schedule of {donor} could be measured on {name}.</source>
        <translation>Kein Schedule von {donor} konnte an {name} gemessen werden.</translation>
    </message>
    <message>
        <source>No schedule within these limits can take less</source>
        <translation>Kein Plan in diesen Grenzen kann schneller sein</translation>
    </message>
    <message>
        <source>No server of {key} is known at {where}</source>
        <translation>Bei {where} ist kein Server von {key} bekannt</translation>
    </message>
    <message>
        <source>No slots yet: press Start, and each slot of tuning time appears here with its reason.</source>
        <translation>Noch keine Slots: Start drücken, dann erscheint hier jeder Slot der Tuning-Zeit mit seinem Grund.</translation>
    </message>
    <message>
        <source>No stage went on anywhere.</source>
        <translation>Nirgends war ein Abschnitt im Gange.</translation>
    </message>
    <message>
        <source>No stages yet: Find stages runs operators that do not wait for each other side by side, where that is faster.</source>
        <translation>Noch keine Stufen: „Stufen suchen“ lässt Operatoren, die nicht aufeinander warten, nebeneinander laufen, wo das schneller ist.</translation>
    </message>
    <message>
        <source>No task is tuned yet. Stages are found for the kernels of now: tune first, then search.</source>
        <translation>Noch kein Task ist getunt. Stufen werden für die jetzigen Kernel gesucht: erst tunen, dann suchen.</translation>
    </message>
    <message>
        <source>No tasks yet: open a model to see its tasks.</source>
        <translation>Noch keine Tasks: Ein Modell öffnen, um seine Tasks zu sehen.</translation>
    </message>
    <message>
        <source>No trial is like that: ask for less above.</source>
        <translation>Kein Versuch ist so: oben weniger verlangen.</translation>
    </message>
    <message>
        <source>No trials of this task yet.</source>
        <translation>Noch keine Versuche dieses Tasks.</translation>
    </message>
    <message>
        <source>No trials yet: press Start to tune.</source>
        <translation>Noch keine Versuche: Start drücken, um zu tunen.</translation>
    </message>
    <message>
        <source>No trials yet: press Start, and here is the code of each task&apos;s best schedule.</source>
        <translation>Noch keine Versuche: Start drücken, und hier steht der Code des besten Schedules jedes Tasks.</translation>
    </message>
    <message>
        <source>No trials yet: press Start, and here is what each choice of a schedule does to its latency.</source>
        <translation>Noch keine Versuche: Start drücken, und hier steht, was jede Wahl eines Schedules mit seiner Latenz macht.</translation>
    </message>
    <message>
        <source>No trials yet: what the pass gives each task appears here.</source>
        <translation>Noch keine Versuche: Hier erscheint, was der Durchgang jedem Task bringt.</translation>
    </message>
    <message>
        <source>No way was measured end to end: press Find stages.</source>
        <translation>Kein Weg wurde im Ganzen gemessen: „Stufen suchen“ drücken.</translation>
    </message>
    <message>
        <source>No worker of the cluster at {address} has the resource {cpu}.</source>
        <translation>Kein Worker des Clusters bei {address} hat die Ressource {cpu}.</translation>
    </message>
    <message>
        <source>No worker of the cluster at {key} has the resource {device}</source>
        <translation>Kein Worker des Clusters bei {key} hat die Ressource {device}</translation>
    </message>
    <message>
        <source>Nobody here has said yes to the key of {host}, or it has changed.</source>
        <translation>Den Schlüssel von {host} hat hier niemand bestätigt, oder er ist ein anderer geworden.</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Not in kernels: {time}, {share}.</source>
        <translation>Nicht in Kernen: {time}, {share}.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Nothing can listen at {host}: {value}.</source>
        <translation>Bei {host} kann nichts lauschen: {value}.</translation>
    </message>
    <message>
        <source>Nothing comes from {host} any more.</source>
        <translation>Von {host} kommt nichts mehr.</translation>
    </message>
    <message>
        <source>Nothing here runs {prepared} to compare with. {what}</source>
        <translation>Hier führt nichts {prepared} zum Vergleich aus. {what}</translation>
    </message>
    <message>
        <source>Nothing is merged side by side only.</source>
        <translation>Nur nebeneinander wird nichts zusammengelegt.</translation>
    </message>
    <message>
        <source>Nothing is queued yet. Jobs tunes several models on one machine, and no measurement is disturbed. Add a model, or the open project.</source>
        <translation>Noch ist nichts eingereiht. Jobs tunt mehrere Modelle auf einem Rechner, und keine Messung wird gestört. Ein Modell oder das offene Projekt hinzufügen.</translation>
    </message>
    <message>
        <source>Nothing is queued yet: add a model, or the open project.</source>
        <translation>Noch ist nichts eingereiht: ein Modell oder das offene Projekt hinzufügen.</translation>
    </message>
    <message>
        <source>Nothing is queued.</source>
        <translation>Nichts ist eingereiht.</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere. If you report this, copy the text into the report, and say what you did before. Look through it first: error texts may name your model&apos;s parts.</source>
        <translation>Nichts wird irgendwohin gesendet. Wer dies meldet, kopiert den Text in die Meldung und sagt, was vorher geschah. Vorher durchsehen: Fehlertexte können Teile des Modells nennen.</translation>
    </message>
    <message>
        <source>Nothing is sent.</source>
        <translation>Nichts wird gesendet.</translation>
    </message>
    <message>
        <source>Nothing is tuned yet: start a run.</source>
        <translation>Noch ist nichts getunt: einen Lauf starten.</translation>
    </message>
    <message>
        <source>Nothing is tuned yet: this exports the untuned module.</source>
        <translation>Noch ist nichts getunt: Dies exportiert das ungetunte Modul.</translation>
    </message>
    <message>
        <source>Nothing is tuned: this is the untuned model.</source>
        <translation>Nichts ist getunt: Das ist das ungetunte Modell.</translation>
    </message>
    <message>
        <source>Nothing runs the model&apos;s file here.</source>
        <translation>Hier führt nichts die Modelldatei aus.</translation>
    </message>
    <message>
        <source>Nothing selected: click a node, a row or a curve to see it here.</source>
        <translation>Nichts ausgewählt: Einen Knoten, eine Zeile oder eine Kurve anklicken, um sie hier zu sehen.</translation>
    </message>
    <message>
        <source>Nothing to compare yet: tick policies and press Replay, or tune once more.</source>
        <translation>Noch nichts zu vergleichen: Strategien ankreuzen und Nachspielen drücken, oder noch einmal tunen.</translation>
    </message>
    <message>
        <source>Nothing to copy or save here.</source>
        <translation>Hier ist nichts zu kopieren oder zu speichern.</translation>
    </message>
    <message>
        <source>Nothing tried yet: press Droplet.</source>
        <translation>Noch nichts versucht: Droplet drücken.</translation>
    </message>
    <message>
        <source>Nothing was asked of {path}.</source>
        <translation>Von {path} wurde nichts verlangt.</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Es wurde nichts geändert.</translation>
    </message>
    <message>
        <source>Nothing was exported; report the model with this sentence.</source>
        <translation>Es wurde nichts exportiert; das Modell mit diesem Satz melden.</translation>
    </message>
    <message>
        <source>Nothing was ready to be measured. Meanwhile: {stages}.</source>
        <translation>Nichts war zum Messen bereit. Derweil: {stages}.</translation>
    </message>
    <message>
        <source>Nothing yet: what the tuner does and meets is told here.</source>
        <translation>Noch nichts: Hier steht, was der Tuner tut und was ihm begegnet.</translation>
    </message>
    <message>
        <source>Notices, and when silence is worth a word</source>
        <translation>Meldungen, Stille und Sprache</translation>
    </message>
    <message>
        <source>Notify when work ends</source>
        <translation>Melden, wenn Arbeit endet</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Now, {precision}</source>
        <translation>Jetzt, {precision}</translation>
    </message>
    <message>
        <source>ONNX Runtime cannot load the model: {error}.</source>
        <translation>ONNX Runtime kann das Modell nicht laden: {error}.</translation>
    </message>
    <message>
        <source>ONNX Runtime cannot run the model: {error}.</source>
        <translation>ONNX Runtime kann das Modell nicht ausführen: {error}.</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Of best</source>
        <translation>Vom Besten</translation>
    </message>
    <message>
        <source>Of menus, views and notes, from the next start on</source>
        <translation>Von Menüs, Ansichten und Hinweisen, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Of the last drop, against the hope of the next one</source>
        <translation>Des letzten Abfalls gegen die Hoffnung auf den nächsten</translation>
    </message>
    <message>
        <source>Of the peak</source>
        <translation>Ausnutzung</translation>
    </message>
    <message>
        <source>Of the peak: ■ arithmetic is nearer to its own, ▨ memory is. Kernels stand one after the other, as each takes by itself; hatched behind them is what the whole takes beyond them.</source>
        <translation>Ausnutzung: ■ das Rechnen ist seiner Spitze näher, ▨ der Speicher. Kerne stehen hintereinander, wie lange jeder für sich braucht; schraffiert dahinter ist, was das Ganze darüber hinaus braucht.</translation>
    </message>
    <message>
        <source>Of the sampler; an even number</source>
        <translation>Des Samplers; eine gerade Zahl</translation>
    </message>
    <message>
        <source>Off: the project cannot be written here.</source>
        <translation>Aus: Das Projekt kann hier nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>On the machine where {name} measures, other workers of the cluster may disturb it: {names}. Give it one worker with both resources.</source>
        <translation>Auf der Maschine, wo {name} misst, können andere Worker des Clusters stören: {names}. Ihr einen Worker mit beiden Ressourcen geben.</translation>
    </message>
    <message>
        <source>One job after another</source>
        <translation>Ein Job nach dem anderen</translation>
    </message>
    <message>
        <source>One knob against latency (P)</source>
        <translation>Ein Regler gegen die Latenz (P)</translation>
    </message>
    <message>
        <source>One more window, for another model</source>
        <translation>Noch ein Fenster, für ein anderes Modell</translation>
    </message>
    <message>
        <source>One shape of the set names other inputs than the first.</source>
        <translation>Eine Form der Menge nennt andere Eingaben als die erste.</translation>
    </message>
    <message>
        <source>One task after another, in the order of the model.</source>
        <translation>Ein Task nach dem anderen, in der Reihenfolge des Modells.</translation>
    </message>
    <message>
        <source>One task has no donor.</source>
        <translation>Ein Task hat keinen Spender.</translation>
    </message>
    <message>
        <source>One task has no record to start from.</source>
        <translation>Ein Task hat keinen Record, von dem aus es losgehen könnte.</translation>
    </message>
    <message>
        <source>Only changes</source>
        <translation>Nur Änderungen</translation>
    </message>
    <message>
        <source>Only the selected task</source>
        <translation>Nur der ausgewählte Task</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open &amp;project…</source>
        <translation>&amp;Projekt öffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open a .tune file and go on where it ended</source>
        <translation>Eine .tune-Datei öffnen und dort weitermachen, wo sie endete</translation>
    </message>
    <message>
        <source>Open a backup or an earlier copy of it.</source>
        <translation>Eine Sicherung oder eine frühere Kopie davon öffnen.</translation>
    </message>
    <message>
        <source>Open a model or a project.</source>
        <translation>Ein Modell oder ein Projekt öffnen.</translation>
    </message>
    <message>
        <source>Open a model that was saved as ONNX.</source>
        <translation>Ein Modell öffnen, das als ONNX gespeichert wurde.</translation>
    </message>
    <message>
        <source>Open a model that was saved as TensorFlow Lite.</source>
        <translation>Ein Modell öffnen, das als TensorFlow Lite gespeichert wurde.</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>Zum Beginnen ein Modell öffnen</translation>
    </message>
    <message>
        <source>Open a model to begin: Ctrl+O, or drop a model or a .tune file here.</source>
        <translation>Zu Beginn ein Modell öffnen: Strg+O, oder ein Modell oder eine .tune-Datei hier ablegen.</translation>
    </message>
    <message>
        <source>Open a model to choose them.</source>
        <translation>Ein Modell öffnen, um sie zu wählen.</translation>
    </message>
    <message>
        <source>Open a model&apos;s file.</source>
        <translation>Eine Modelldatei öffnen.</translation>
    </message>
    <message>
        <source>Open a model, press Start, watch it get faster.</source>
        <translation>Ein Modell öffnen, Start drücken, zusehen, wie es schneller wird.</translation>
    </message>
    <message>
        <source>Open a sample</source>
        <translation>Ein Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open a tuned project or load a recording to replay it.</source>
        <translation>Ein getuntes Projekt öffnen oder eine Aufzeichnung laden, um sie nachzuspielen.</translation>
    </message>
    <message>
        <source>Open an ONNX model and find its tasks</source>
        <translation>Ein ONNX-Modell öffnen und seine Tasks finden</translation>
    </message>
    <message>
        <source>Open e&amp;xperiment…</source>
        <translation>E&amp;xperiment öffnen…</translation>
    </message>
    <message>
        <source>Open experiment</source>
        <translation>Experiment öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open it to change it.</source>
        <translation>Es öffnen, um es zu ändern.</translation>
    </message>
    <message>
        <source>Open it to tune.</source>
        <translation>Es öffnen, um zu tunen.</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>Modell öffnen…</translation>
    </message>
    <message>
        <source>Open one.</source>
        <translation>Eines öffnen.</translation>
    </message>
    <message>
        <source>Open or not saved then: {titles}.</source>
        <translation>Damals offen oder nicht gespeichert: {titles}.</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>Projekt öffnen</translation>
    </message>
    <message>
        <source>Open recent: {name}</source>
        <translation>Zuletzt geöffnet: {name}</translation>
    </message>
    <message>
        <source>Open sa&amp;mple</source>
        <translation>Beispie&amp;l öffnen</translation>
    </message>
    <message>
        <source>Open sample: &amp;{title}</source>
        <translation>Beispiel öffnen: &amp;{title}</translation>
    </message>
    <message>
        <source>Open the help at the part of the window that has the keyboard</source>
        <translation>Die Hilfe bei dem Teil des Fensters öffnen, der die Tastatur hat</translation>
    </message>
    <message>
        <source>Open the model or its project for that.</source>
        <translation>Dafür das Modell oder sein Projekt öffnen.</translation>
    </message>
    <message>
        <source>Open this model for {target}</source>
        <translation>Dieses Modell für {target} öffnen</translation>
    </message>
    <message>
        <source>Open this model in {precision}</source>
        <translation>Dieses Modell in {precision} öffnen</translation>
    </message>
    <message>
        <source>Open {address} with your desktop&apos;s browser?</source>
        <translation>{address} im Browser des Desktops öffnen?</translation>
    </message>
    <message>
        <source>Open {path}</source>
        <translation>{path} öffnen</translation>
    </message>
    <message numerus="yes">
        <source>Opened {path}: %n tasks.</source>
        <translation>
            <numerusform>{path} geöffnet: %n Task.</numerusform>
            <numerusform>{path} geöffnet: %n Tasks.</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening the project</source>
        <translation>Projekt öffnen</translation>
    </message>
    <message>
        <source>Operator {operators} does not run by itself. {reason}</source>
        <translation>Operator {operators} läuft nicht für sich allein. {reason}</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Operators a group (r)</source>
        <translation>Operatoren je Gruppe (r)</translation>
    </message>
    <message>
        <source>Operators or file&apos;s nodes</source>
        <translation>Operatoren oder Knoten der Datei</translation>
    </message>
    <message>
        <source>Operators {one} do not merge: {reason}.</source>
        <translation>Die Operatoren {one} lassen sich nicht zusammenlegen: {reason}.</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Outputs are compared with nothing: no reference runs.</source>
        <translation>Ausgaben werden mit nichts verglichen: Keine Referenz läuft.</translation>
    </message>
    <message>
        <source>Over how many slots the last drop is taken</source>
        <translation>Über wie viele Slots der letzte Abfall genommen wird</translation>
    </message>
    <message>
        <source>P&amp;lan of passes…</source>
        <translation>&amp;Plan von Durchgängen…</translation>
    </message>
    <message>
        <source>P&amp;riority</source>
        <translation>P&amp;riorität</translation>
    </message>
    <message>
        <source>Pa&amp;nels</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>Pad inputs</source>
        <translation>Eingaben auffüllen</translation>
    </message>
    <message>
        <source>Pad inputs that differ among the shapes, each with a value of its type.</source>
        <translation>Eingaben auffüllen, in denen sich die Formen unterscheiden, jede mit einem Wert ihres Typs.</translation>
    </message>
    <message>
        <source>Padding makes no sense: {reason}.</source>
        <translation>Das Auffüllen ergibt keinen Sinn: {reason}.</translation>
    </message>
    <message>
        <source>Padding of inputs</source>
        <translation>Auffüllen von Eingaben</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Part of all that was gained</source>
        <translation>Teil des gesamten Gewinns</translation>
    </message>
    <message>
        <source>Part of the model&apos;s latency</source>
        <translation>Teil der Latenz des Modells</translation>
    </message>
    <message>
        <source>Part of the model&apos;s latency, all occurrences together</source>
        <translation>Teil der Latenz des Modells, alle Vorkommen zusammen</translation>
    </message>
    <message>
        <source>Part of the variance of log latency that lies between its values, corrected for how many there are</source>
        <translation>Teil der Varianz der logarithmierten Latenz, der zwischen seinen Werten liegt, berichtigt um deren Anzahl</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Peers</source>
        <translation>Verwandte</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Picture of the whole graph</source>
        <translation>Bild des ganzen Graphen</translation>
    </message>
    <message>
        <source>Pinned files stay</source>
        <translation>Angeheftete Dateien bleiben</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Plan as text</source>
        <translation>Plan als Text</translation>
    </message>
    <message>
        <source>Play the recorded trials in the order each policy would choose</source>
        <translation>Die aufgezeichneten Versuche in der Reihenfolge nachspielen, die jede Strategie wählen würde</translation>
    </message>
    <message>
        <source>Policies to replay</source>
        <translation>Strategien nachspielen</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Policy that gives the slots</source>
        <translation>Strategie, die die Slots vergibt</translation>
    </message>
    <message>
        <source>Polish each task&apos;s best schedule, one decision at a time</source>
        <translation>Den besten Schedule jedes Tasks verfeinern, eine Entscheidung nach der anderen</translation>
    </message>
    <message>
        <source>Polished tasks</source>
        <translation>Verfeinerte Tasks</translation>
    </message>
    <message>
        <source>Polishing</source>
        <translation>Feinschliff</translation>
    </message>
    <message>
        <source>Population</source>
        <translation>Population</translation>
    </message>
    <message>
        <source>Port {port} is taken on {host}.</source>
        <translation>Port {port} ist auf {host} belegt.</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>Ein&amp;stellungen…</translation>
    </message>
    <message>
        <source>Pr&amp;int report…</source>
        <translation>Bericht &amp;drucken…</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Predicted gain</source>
        <translation>Erw. Gewinn</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Preparing the report</source>
        <translation>Bericht vorbereiten</translation>
    </message>
    <message>
        <source>Preparing …</source>
        <translation>Vorbereiten …</translation>
    </message>
    <message>
        <source>Press Export and choose a folder. The module in it is checked against ONNX Runtime, and runs without Tunewright.</source>
        <translation>Exportieren drücken und einen Ordner wählen. Das Modul darin wird gegen ONNX Runtime geprüft und läuft ohne Tunewright.</translation>
    </message>
    <message>
        <source>Press SqueezeNet, a small network. Its operators and tasks are found in a few seconds.</source>
        <translation>SqueezeNet anklicken, ein kleines Netz. Seine Operatoren und Tasks sind in wenigen Sekunden gefunden.</translation>
    </message>
    <message>
        <source>Press Start. The run ends when its budget is spent; every result is kept as it comes.</source>
        <translation>Start drücken. Der Lauf endet, wenn sein Budget verbraucht ist; jedes Ergebnis wird sofort behalten.</translation>
    </message>
    <message>
        <source>Previous</source>
        <comment>difference</comment>
        <translation>Vorige</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>Voriger Teil</translation>
    </message>
    <message>
        <source>Print the report, or save it as PDF</source>
        <translation>Den Bericht drucken oder als PDF speichern</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrsch.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Progress of the pass</source>
        <translation>Fortschritt des Durchgangs</translation>
    </message>
    <message>
        <source>Progress of the replays</source>
        <translation>Fortschritt der Wiedergaben</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Project files (.tune) of other models</source>
        <translation>Projektdateien (.tune) anderer Modelle</translation>
    </message>
    <message>
        <source>Project files with donors</source>
        <translation>Projektdateien mit Spendern</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Messprotokoll</translation>
    </message>
    <message>
        <source>Put all docks where they were at first</source>
        <translation>Alle Bereiche dorthin, wo sie zuerst waren</translation>
    </message>
    <message>
        <source>Put it back, or save the project under another name.</source>
        <translation>Es zurücklegen oder das Projekt unter einem anderen Namen speichern.</translation>
    </message>
    <message>
        <source>Put it back, or say where it is now.</source>
        <translation>Es zurücklegen oder sagen, wo es jetzt ist.</translation>
    </message>
    <message>
        <source>Put numbers for the question marks: {forms}.</source>
        <translation>Zahlen für die Fragezeichen setzen: {forms}.</translation>
    </message>
    <message>
        <source>Put the job at the end of the queue</source>
        <translation>Den Job ans Ende der Warteschlange stellen</translation>
    </message>
    <message>
        <source>Put the keyboard on the graph</source>
        <translation>Die Tastatur auf den Graphen richten</translation>
    </message>
    <message>
        <source>Put the original model back, or start a new project from the changed one.</source>
        <translation>Das ursprüngliche Modell zurücklegen oder mit dem geänderten ein neues Projekt beginnen.</translation>
    </message>
    <message>
        <source>Put the weight files back beside the model, as they were exported.</source>
        <translation>Die Gewichtsdateien wieder neben das Modell legen, wie sie exportiert wurden.</translation>
    </message>
    <message>
        <source>Puts operators that do not wait for each other side by side, or merges them into one, and keeps the schedule of stages that is measured as the fastest.</source>
        <translation>Stellt Operatoren, die nicht aufeinander warten, nebeneinander oder legt sie zusammen, und behält den Stufenplan, der als schnellster gemessen wird.</translation>
    </message>
    <message>
        <source>PyTorch cannot run the program: {error}.</source>
        <translation>PyTorch kann das Programm nicht ausführen: {error}.</translation>
    </message>
    <message>
        <source>PyTorch {version} cannot break the program down into its core operators: {error}.</source>
        <translation>PyTorch {version} kann das Programm nicht in seine Kernoperatoren zerlegen: {error}.</translation>
    </message>
    <message>
        <source>PyTorch {version} cannot load the program: {error}.</source>
        <translation>PyTorch {version} kann das Programm nicht laden: {error}.</translation>
    </message>
    <message>
        <source>Python cannot import {package!r}.</source>
        <translation>Python kann {package!r} nicht importieren.</translation>
    </message>
    <message>
        <source>Queue of jobs</source>
        <translation>Warteschlange der Jobs</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Re&amp;peat until the budget ends</source>
        <translation>&amp;Wiederholen, bis das Budget endet</translation>
    </message>
    <message>
        <source>Reached</source>
        <translation>Erreicht nach</translation>
    </message>
    <message>
        <source>Reaches</source>
        <translation>Erreicht</translation>
    </message>
    <message>
        <source>Read, find and change the keys of all commands</source>
        <translation>Die Tasten aller Befehle lesen, finden und ändern</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>Das Modell lesen</translation>
    </message>
    <message>
        <source>Reading the project</source>
        <translation>Das Projekt wird gelesen</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>Letzte Projekte</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufzeichnungen</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Regret</source>
        <translation>Regret</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Rename it.</source>
        <translation>Umbenennen.</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Replace it in the model, or export it again without it.</source>
        <translation>Ihn im Modell ersetzen oder das Modell ohne ihn neu exportieren.</translation>
    </message>
    <message>
        <source>Replace it in the model, or export the model with another ONNX operator set.</source>
        <translation>Ihn im Modell ersetzen oder das Modell mit einem anderen ONNX-Operatorsatz exportieren.</translation>
    </message>
    <message>
        <source>Replace it in the program, or export it again without it.</source>
        <translation>Ihn im Programm ersetzen oder das Programm ohne ihn neu exportieren.</translation>
    </message>
    <message>
        <source>Replace them in the model, or export it again without them.</source>
        <translation>Sie im Modell ersetzen oder das Modell ohne sie neu exportieren.</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Nachspielen</translation>
    </message>
    <message>
        <source>Replay a recording (.npz) instead of this project</source>
        <translation>Eine Aufzeichnung (.npz) statt dieses Projekts nachspielen</translation>
    </message>
    <message numerus="yes">
        <source>Replayed %n trials of {model}, recorded on {device}.</source>
        <translation>
            <numerusform>%n Versuch von {model} nachgespielt, aufgezeichnet auf {device}.</numerusform>
            <numerusform>%n Versuche von {model} nachgespielt, aufgezeichnet auf {device}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Replaying policies</source>
        <translation>Strategien nachspielen</translation>
    </message>
    <message>
        <source>Replaying the recording under the policy {title}.</source>
        <translation>Die Aufzeichnung wird mit der Strategie {title} nachgespielt.</translation>
    </message>
    <message>
        <source>Repor&amp;t…</source>
        <translation>Ber&amp;icht…</translation>
    </message>
    <message>
        <source>Report of the crash</source>
        <translation>Bericht des Absturzes</translation>
    </message>
    <message>
        <source>Report the model with this sentence; tune it despite that only to look at speed.</source>
        <translation>Das Modell mit diesem Satz melden; trotzdem tunen nur, um das Tempo anzusehen.</translation>
    </message>
    <message>
        <source>Representative</source>
        <translation>Vertreter</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Results so far are kept; {log} has the details.</source>
        <translation>Bisherige Ergebnisse bleiben; Näheres steht in {log}.</translation>
    </message>
    <message>
        <source>Resume the run.</source>
        <translation>Den Lauf fortsetzen.</translation>
    </message>
    <message>
        <source>Run</source>
        <comment>time to measure</comment>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Run &amp;queue of jobs</source>
        <translation>&amp;Warteschlange starten</translation>
    </message>
    <message>
        <source>Run operators side by side, or merged, where that is faster</source>
        <translation>Operatoren nebeneinander oder zusammengelegt ausführen, wo das schneller ist</translation>
    </message>
    <message>
        <source>Run queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>Run settin&amp;gs…</source>
        <translation>Einstellungen d&amp;es Laufs…</translation>
    </message>
    <message>
        <source>Run settings</source>
        <translation>Einstellungen des Laufs</translation>
    </message>
    <message>
        <source>Run {number}</source>
        <translation>Lauf {number}</translation>
    </message>
    <message>
        <source>Run {number}: {policy}</source>
        <translation>Lauf {number}: {policy}</translation>
    </message>
    <message>
        <source>Run {run} begins: {budget}.</source>
        <translation>Lauf {run} beginnt: {budget}.</translation>
    </message>
    <message>
        <source>Run {run} is {state}</source>
        <translation>Lauf {run}: {state}</translation>
    </message>
    <message>
        <source>Running the file to compare with</source>
        <translation>Die Datei zum Vergleich ausführen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Runs and replayed policies on one plot, with the time saved</source>
        <translation>Läufe und nachgespielte Strategien in einem Diagramm, mit der gesparten Zeit</translation>
    </message>
    <message>
        <source>Runs of this project</source>
        <translation>Läufe dieses Projekts</translation>
    </message>
    <message>
        <source>Runs to compare</source>
        <translation>Zu vergleichende Läufe</translation>
    </message>
    <message>
        <source>S&amp;hare…</source>
        <translation>S&amp;hare…</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>S&amp;top the search</source>
        <translation>Suche been&amp;den</translation>
    </message>
    <message>
        <source>Sample length</source>
        <translation>Stichprobendauer</translation>
    </message>
    <message>
        <source>Sampler steps</source>
        <translation>Sampler-Schritte</translation>
    </message>
    <message>
        <source>Sampler: {task}</source>
        <translation>Sampler: {task}</translation>
    </message>
    <message>
        <source>Sampler…</source>
        <translation>Sampler…</translation>
    </message>
    <message>
        <source>Samples</source>
        <comment>measured</comment>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Samples taken in any case</source>
        <translation>Stichproben, die auf jeden Fall genommen werden</translation>
    </message>
    <message>
        <source>Sampling ends after so long</source>
        <translation>Nach so langer Zeit enden die Stichproben</translation>
    </message>
    <message>
        <source>Sampling ends here</source>
        <translation>Mehr Stichproben werden nicht genommen</translation>
    </message>
    <message>
        <source>Sampling …</source>
        <translation>Stichproben ziehen …</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save a copy under another name: that can be tuned.</source>
        <translation>Eine Kopie unter anderem Namen speichern: Die lässt sich tunen.</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Save as CS&amp;V…</source>
        <translation>Als CS&amp;V speichern…</translation>
    </message>
    <message>
        <source>Save as {kind}…</source>
        <translation>Als {kind} speichern…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save it again with this version of PyTorch, or install the version that wrote it.</source>
        <translation>Es mit dieser Version von PyTorch neu speichern oder die Version installieren, die es schrieb.</translation>
    </message>
    <message>
        <source>Save it as UTF-8 text.</source>
        <translation>Als UTF-8-Text speichern.</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Save layout as…</source>
        <translation>Anordnung speichern unter…</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Save the model with its weights as external data.</source>
        <translation>Das Modell mit seinen Gewichten als externe Daten speichern.</translation>
    </message>
    <message>
        <source>Save the plot as PNG, SVG or CSV, or the table as CSV</source>
        <translation>Das Diagramm als PNG, SVG oder CSV speichern, oder die Tabelle als CSV</translation>
    </message>
    <message>
        <source>Save the program again with torch.export.save of PyTorch 2.9 or newer.</source>
        <translation>Das Programm mit torch.export.save von PyTorch 2.9 oder neuer neu speichern.</translation>
    </message>
    <message>
        <source>Save the program itself with torch.export.save.</source>
        <translation>Das Programm selbst mit torch.export.save speichern.</translation>
    </message>
    <message>
        <source>Save the whole graph as SVG or PNG</source>
        <translation>Den ganzen Graph als SVG oder PNG speichern</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespart</translation>
    </message>
    <message>
        <source>Saved as {path}.</source>
        <translation>Gespeichert als {path}.</translation>
    </message>
    <message>
        <source>Say when no result comes</source>
        <translation>Melden, wenn Ergebnisse ausbleiben</translation>
    </message>
    <message>
        <source>Say where the file of the project&apos;s model is now</source>
        <translation>Sagen, wo die Datei des Modells jetzt liegt</translation>
    </message>
    <message>
        <source>Says</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Stufenplan</translation>
    </message>
    <message>
        <source>Schedule</source>
        <comment>code</comment>
        <translation>Schedule</translation>
    </message>
    <message>
        <source>Schedule, TensorIR and assembly, on a page of their own</source>
        <translation>Schedule, TensorIR und Assembler, auf einer eigenen Seite</translation>
    </message>
    <message>
        <source>Schedules each</source>
        <translation>Schedules für jeden</translation>
    </message>
    <message>
        <source>Schedules of {donor}</source>
        <translation>Schedules von {donor}</translation>
    </message>
    <message>
        <source>Schedules of {donor} alone would give {share} of the gain of {name}.</source>
        <translation>Schedules von {donor} allein brächten {share} des Gewinns von {name}.</translation>
    </message>
    <message>
        <source>Scoreboard</source>
        <translation>Ergebnisleiste</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search</source>
        <comment>step</comment>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search again to go on from there, or give more.</source>
        <translation>Noch einmal suchen, um von dort weiterzumachen, oder mehr geben.</translation>
    </message>
    <message>
        <source>Search again; where it happens again, report the model.</source>
        <translation>Noch einmal suchen; geschieht es wieder, das Modell melden.</translation>
    </message>
    <message>
        <source>Search for stages</source>
        <translation>Suche nach Stufen</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>In der Hilfe suchen</translation>
    </message>
    <message>
        <source>Search where the device is.</source>
        <translation>Dort suchen, wo das Gerät ist.</translation>
    </message>
    <message>
        <source>Search, devices, and how cells shared the machine</source>
        <translation>Suche, Geräte und wie sich Zellen die Maschine teilten</translation>
    </message>
    <message>
        <source>Searches schedules for the tasks, with the time allocated by the policy.</source>
        <translation>Sucht Schedules für die Tasks, mit der Zeit, die die Strategie zuteilt.</translation>
    </message>
    <message>
        <source>Seconds in sight</source>
        <translation>Sekunden im Blick</translation>
    </message>
    <message>
        <source>Seconds to gather of {gather:g} and patience of {patience:g} do not fit.</source>
        <translation>Eine Sammelzeit von {gather:g} s und eine Geduld von {patience:g} s passen nicht zusammen.</translation>
    </message>
    <message>
        <source>See that it works again</source>
        <translation>Dafür sorgen, dass es wieder geht</translation>
    </message>
    <message>
        <source>See the log.</source>
        <translation>Siehe Protokoll.</translation>
    </message>
    <message>
        <source>See the log; resume the run.</source>
        <translation>Das Protokoll ansehen; den Lauf fortsetzen.</translation>
    </message>
    <message>
        <source>See to them; go on then.</source>
        <translation>Nach ihnen sehen; dann weitermachen.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Seed of the replayed policies</source>
        <translation>Seed der nachgespielten Strategien</translation>
    </message>
    <message>
        <source>Select each task when it gets a slot</source>
        <translation>Jeden Task auswählen, wenn er einen Slot bekommt</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>Nichts auswählen</translation>
    </message>
    <message>
        <source>Select the best trial of this task</source>
        <translation>Den besten Versuch dieses Tasks auswählen</translation>
    </message>
    <message>
        <source>Selected task only</source>
        <translation>Nur dieser Task</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>Sequenziell</translation>
    </message>
    <message>
        <source>Sequential, eager</source>
        <translation>Sequenziell, eager</translation>
    </message>
    <message>
        <source>Set up a key for that account (ssh-copy-id), or add the key to your agent (ssh-add), until a login by ssh in a terminal asks for nothing.</source>
        <translation>Für das Konto einen Schlüssel einrichten (ssh-copy-id) oder ihn dem Agenten geben (ssh-add), bis eine Anmeldung mit ssh im Terminal nach nichts fragt.</translation>
    </message>
    <message>
        <source>Sets an input</source>
        <translation>Mengen je Eingabe</translation>
    </message>
    <message>
        <source>Sets of operators</source>
        <translation>Operatormengen</translation>
    </message>
    <message>
        <source>Sets that may be left to run, explored so far</source>
        <translation>Mengen, die noch zu laufen haben können, bisher untersucht</translation>
    </message>
    <message>
        <source>Sets with a last stage, explored so far, of at most (n/d + 1)^(2d) for n operators, of which at most d wait for none of each other; summed over the blocks</source>
        <translation>Mengen mit einer letzten Stufe, bisher untersucht, von höchstens (n/d + 1)^(2d) bei n Operatoren, von denen höchstens d nicht aufeinander warten; summiert über die Blöcke</translation>
    </message>
    <message>
        <source>Settings of the run</source>
        <translation>Einstellungen des Laufs</translation>
    </message>
    <message>
        <source>Several shapes</source>
        <translation>Mehrere Formen</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Shape and type of its result, in the axes of the file</source>
        <translation>Form und Typ ihres Ergebnisses, in den Achsen der Datei</translation>
    </message>
    <message>
        <source>Shape of {name}</source>
        <translation>Form von {name}</translation>
    </message>
    <message>
        <source>Shapes in the model depend on its data because of {names}.</source>
        <translation>Formen im Modell hängen von seinen Daten ab, wegen {names}.</translation>
    </message>
    <message>
        <source>Shapes in the model depend on its data.</source>
        <translation>Formen im Modell hängen von seinen Daten ab.</translation>
    </message>
    <message>
        <source>Share</source>
        <comment>step</comment>
        <translation>Share</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of latency with a tuned schedule.</source>
        <translation>Anteil der Latenz mit getuntem Schedule.</translation>
    </message>
    <message>
        <source>Share of the gain so far, from 0 to 100 percent</source>
        <translation>Anteil am bisherigen Gewinn, von 0 bis 100 Prozent</translation>
    </message>
    <message>
        <source>Share…</source>
        <translation>Share…</translation>
    </message>
    <message>
        <source>Sharing schedules</source>
        <translation>Schedules teilen</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>Kürzen.</translation>
    </message>
    <message>
        <source>Shortest first</source>
        <translation>Kürzeste zuerst</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Show &amp;belief</source>
        <translation>Annahme &amp;zeigen</translation>
    </message>
    <message>
        <source>Show a project that is tuned elsewhere, as it grows; by ssh, read only</source>
        <translation>Ein Projekt zeigen, das anderswo getunt wird, wie es wächst; per ssh, nur lesend</translation>
    </message>
    <message>
        <source>Show all of the time (0)</source>
        <translation>Die ganze Zeit zeigen (0)</translation>
    </message>
    <message>
        <source>Show closed panels, and windows that are off the screen</source>
        <translation>Geschlossene Bereiche zeigen und Fenster außerhalb des Bildschirms</translation>
    </message>
    <message>
        <source>Show how long each layer of the model takes</source>
        <translation>Zeigen, wie lange jede Schicht des Modells braucht</translation>
    </message>
    <message>
        <source>Show inputs, runs and exports</source>
        <translation>Eingaben, Läufe und Exporte zeigen</translation>
    </message>
    <message>
        <source>Show node</source>
        <translation>Knoten zeigen</translation>
    </message>
    <message>
        <source>Show one inference kernel by kernel</source>
        <translation>Eine Inferenz Kern für Kern zeigen</translation>
    </message>
    <message>
        <source>Show one shape of the project alone: its latencies, tasks and operators. All together, latencies are their mean by frequency.</source>
        <translation>Eine Form des Projekts allein zeigen: ihre Latenzen, Tasks und Operatoren. Bei allen zusammen sind Latenzen ihr Mittel nach Häufigkeit.</translation>
    </message>
    <message>
        <source>Show report</source>
        <translation>Bericht zeigen</translation>
    </message>
    <message>
        <source>Show schedule, TensorIR and assembly of the selected trial</source>
        <translation>Schedule, TensorIR und Assembler des gewählten Versuchs zeigen</translation>
    </message>
    <message>
        <source>Show the code</source>
        <translation>Code zeigen</translation>
    </message>
    <message>
        <source>Show the convergence curves</source>
        <translation>Die Konvergenzkurven zeigen</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Das Protokoll zeigen</translation>
    </message>
    <message>
        <source>Show the nodes of the model&apos;s file, or the fused operators</source>
        <translation>Die Knoten der Modelldatei oder die fusionierten Operatoren zeigen</translation>
    </message>
    <message>
        <source>Show the path through a task&apos;s decisions</source>
        <translation>Den Weg durch die Entscheidungen eines Tasks zeigen</translation>
    </message>
    <message>
        <source>Show the project of the marked job (Enter)</source>
        <translation>Das Projekt des markierten Jobs zeigen (Eingabe)</translation>
    </message>
    <message>
        <source>Show the project on that machine once, which mends it.</source>
        <translation>Das Projekt auf jener Maschine einmal anzeigen; das bringt es in Ordnung.</translation>
    </message>
    <message>
        <source>Show the queue, and what has the cores and devices</source>
        <translation>Die Warteschlange zeigen, und was Kerne und Geräte hat</translation>
    </message>
    <message>
        <source>Show the selected task or trial, or the model</source>
        <translation>Den ausgewählten Task oder Versuch zeigen, oder das Modell</translation>
    </message>
    <message>
        <source>Show the task table</source>
        <translation>Die Tabelle der Tasks zeigen</translation>
    </message>
    <message>
        <source>Show the trials</source>
        <translation>Die Versuche zeigen</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Den ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Show this text</source>
        <translation>Diesen Text zeigen</translation>
    </message>
    <message>
        <source>Show what came of an experiment, and open its projects</source>
        <translation>Zeigen, was ein Experiment ergab, und seine Projekte öffnen</translation>
    </message>
    <message>
        <source>Show what donors gave</source>
        <translation>Zeigen, was Spender gaben</translation>
    </message>
    <message>
        <source>Show what each choice of a schedule does to its latency</source>
        <translation>Zeigen, was jede Wahl eines Schedules mit seiner Latenz macht</translation>
    </message>
    <message>
        <source>Show what search and passes gave</source>
        <translation>Zeigen, was Suche und Durchgänge gaben</translation>
    </message>
    <message>
        <source>Show where the tuning time goes</source>
        <translation>Zeigen, wohin die Tuning-Zeit geht</translation>
    </message>
    <message>
        <source>Show which operators run side by side</source>
        <translation>Zeigen, welche Operatoren nebeneinander laufen</translation>
    </message>
    <message>
        <source>Show which tasks can use one schedule</source>
        <translation>Zeigen, welche Tasks einen Schedule teilen können</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Side by side (for comparison only)</source>
        <translation>Nebeneinander (nur zum Vergleich)</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>Ähnlichkeit</translation>
    </message>
    <message>
        <source>Since then other kernels are best: {names}.</source>
        <translation>Seitdem sind andere Kernel die besten: {names}.</translation>
    </message>
    <message>
        <source>Sizes with x between them, such as 1x3x640x640. Put one for each ?.</source>
        <translation>Größen mit x dazwischen, etwa 1x3x640x640. Für jedes ? eine einsetzen.</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <source>Slot takes</source>
        <translation>Slot dauert</translation>
    </message>
    <message>
        <source>Slot {number} goes to {task}.</source>
        <translation>Slot {number} geht an {task}.</translation>
    </message>
    <message>
        <source>Slot {number} goes to {task}: {why}.</source>
        <translation>Slot {number} geht an {task}: {why}.</translation>
    </message>
    <message>
        <source>Slot {number} went to {task}.</source>
        <translation>Slot {number} ging an {task}.</translation>
    </message>
    <message>
        <source>Slot {number} went to {task}: {why}.</source>
        <translation>Slot {number} ging an {task}: {why}.</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>Slots in proportion to weight times floating-point operations.</source>
        <translation>Slots im Verhältnis zu Gewicht mal Gleitkommaoperationen.</translation>
    </message>
    <message>
        <source>Slots of each</source>
        <translation>Slots für jeden</translation>
    </message>
    <message>
        <source>Slots so far</source>
        <translation>Slots bisher</translation>
    </message>
    <message>
        <source>So&amp;rt by</source>
        <translation>So&amp;rtieren nach</translation>
    </message>
    <message>
        <source>Something disturbed a measurement: measure again when the machine is quiet.</source>
        <translation>Etwas störte eine Messung: neu messen, wenn die Maschine Ruhe hat.</translation>
    </message>
    <message>
        <source>Something unforeseen went wrong: {error}.</source>
        <translation>Etwas Unvorhergesehenes ging schief: {error}.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Source</source>
        <comment>code</comment>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Sources of improvements</source>
        <translation>Quellen der Verbesserungen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Spread measurements over these, such as cuda:0,cuda:1; empty: the target&apos;s own</source>
        <translation>Messungen auf diese verteilen, etwa cuda:0,cuda:1; leer: das des Targets</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Stages belong to one shape, and this project has several.</source>
        <translation>Stufen gehören zu einer Form, und dieses Projekt hat mehrere.</translation>
    </message>
    <message>
        <source>Stages cannot be searched for on a remote device.</source>
        <translation>Auf einem entfernten Gerät lassen sich keine Stufen suchen.</translation>
    </message>
    <message>
        <source>Stages may be</source>
        <translation>Stufen dürfen sein</translation>
    </message>
    <message>
        <source>Stages measured</source>
        <translation>Gemessene Stufen</translation>
    </message>
    <message>
        <source>Stages over time</source>
        <translation>Stufen über der Zeit</translation>
    </message>
    <message>
        <source>Stages that cannot be part of a better schedule are never measured</source>
        <translation>Stufen, die zu keinem besseren Plan gehören können, werden nie gemessen</translation>
    </message>
    <message>
        <source>Standard error of the mean that is good enough</source>
        <translation>Standardfehler des Mittels, der genügt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start Tunewright without a recording.</source>
        <translation>Tunewright ohne Aufzeichnung starten.</translation>
    </message>
    <message>
        <source>Start a new project from the model; this one stays readable.</source>
        <translation>Mit dem Modell ein neues Projekt beginnen; dieses bleibt lesbar.</translation>
    </message>
    <message>
        <source>Start a server for it, or choose another device.</source>
        <translation>Einen Server dafür starten oder ein anderes Gerät wählen.</translation>
    </message>
    <message>
        <source>Start it again, and resume the run.</source>
        <translation>Ihn neu starten und den Lauf fortsetzen.</translation>
    </message>
    <message>
        <source>Start it with `dask worker --no-nanny`.</source>
        <translation>Ihn mit `dask worker --no-nanny` starten.</translation>
    </message>
    <message>
        <source>Start it, then go on.</source>
        <translation>Ihn starten, dann weitermachen.</translation>
    </message>
    <message>
        <source>Start its server again</source>
        <translation>Seinen Server neu starten</translation>
    </message>
    <message>
        <source>Start its server, or choose another device.</source>
        <translation>Seinen Server starten oder ein anderes Gerät wählen.</translation>
    </message>
    <message>
        <source>Start its worker again</source>
        <translation>Seinen Worker neu starten</translation>
    </message>
    <message>
        <source>Start one again, and resume the run.</source>
        <translation>Wieder einen starten und den Lauf fortsetzen.</translation>
    </message>
    <message>
        <source>Start one there.</source>
        <translation>Dort einen starten.</translation>
    </message>
    <message>
        <source>Start one with {command}, or choose another device.</source>
        <translation>Einen starten mit {command}, oder ein anderes Gerät wählen.</translation>
    </message>
    <message>
        <source>Start one with {command}.</source>
        <translation>Einen starten mit {command}.</translation>
    </message>
    <message>
        <source>Start one with {scheduler}, or do without it.</source>
        <translation>Einen starten mit {scheduler}, oder darauf verzichten.</translation>
    </message>
    <message>
        <source>Start one.</source>
        <translation>Einen starten.</translation>
    </message>
    <message>
        <source>Start tuning</source>
        <translation>Tuning starten</translation>
    </message>
    <message>
        <source>Start tuning with the budget shown</source>
        <translation>Das Tuning mit dem angezeigten Budget starten</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Status: {sentence}</source>
        <translation>Status: {sentence}</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps between which all groups wait for each other</source>
        <translation>Schritte, zwischen denen alle Gruppen aufeinander warten</translation>
    </message>
    <message>
        <source>Steps by name, separated by commas; a number is a step&apos;s trials</source>
        <translation>Schritte beim Namen, durch Kommas getrennt; eine Zahl ist die der Versuche</translation>
    </message>
    <message>
        <source>Steps in their order</source>
        <translation>Schritte in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Stop after this many trials of this run</source>
        <translation>Nach so vielen Versuchen dieses Laufs enden</translation>
    </message>
    <message>
        <source>Stop after this tuning time</source>
        <translation>Nach dieser Tuning-Zeit enden</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Beenden und schließen</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>Erst anhalten.</translation>
    </message>
    <message>
        <source>Stop it.</source>
        <translation>Anhalten.</translation>
    </message>
    <message>
        <source>Stop when the model as a whole is this fast</source>
        <translation>Enden, wenn das Modell als Ganzes so schnell ist</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Stopped before the end.</source>
        <translation>Vor dem Ende angehalten.</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Endet</translation>
    </message>
    <message>
        <source>Stopping the run.</source>
        <translation>Der Lauf wird beendet.</translation>
    </message>
    <message>
        <source>Stopping the search for a schedule.</source>
        <translation>Die Suche nach einem Schedule wird beendet.</translation>
    </message>
    <message>
        <source>Store it as a plain constant of a smaller size.</source>
        <translation>Als einfache Konstante kleinerer Größe speichern.</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Stronger colours, light or dark as the desktop</source>
        <translation>Stärkere Farben, hell oder dunkel wie der Desktop</translation>
    </message>
    <message>
        <source>Sum (UCB)</source>
        <translation>Summe (UCB)</translation>
    </message>
    <message>
        <source>T&amp;une for another machine…</source>
        <translation>Für eine andere Mas&amp;chine tunen…</translation>
    </message>
    <message>
        <source>TVM cannot compile the model: the schedule of {name} does not fit.</source>
        <translation>TVM kann das Modell nicht kompilieren: Der Schedule von {name} passt nicht.</translation>
    </message>
    <message>
        <source>TVM cannot compile the model: the schedule of {name} writes out too many steps.</source>
        <translation>TVM kann das Modell nicht kompilieren: Der Schedule von {name} schreibt zu viele Schritte aus.</translation>
    </message>
    <message>
        <source>TVM cannot compile the model: {error}.</source>
        <translation>TVM kann das Modell nicht kompilieren: {error}.</translation>
    </message>
    <message>
        <source>TVM cannot import these operators: {names}.</source>
        <translation>TVM kann diese Operatoren nicht importieren: {names}.</translation>
    </message>
    <message>
        <source>TVM cannot import this operator: {names}.</source>
        <translation>TVM kann diesen Operator nicht importieren: {names}.</translation>
    </message>
    <message>
        <source>TVM cannot import {error}.</source>
        <translation>TVM kann nicht importieren: {error}.</translation>
    </message>
    <message>
        <source>TVM cannot import {name}, and the log has all that it says of it.</source>
        <translation>TVM kann {name} nicht importieren; das Protokoll hat alles, was es dazu sagt.</translation>
    </message>
    <message>
        <source>TVM cannot import {name}.</source>
        <translation>TVM kann {name} nicht importieren.</translation>
    </message>
    <message>
        <source>TVM cannot import {op_type} ({name}): {notes}.</source>
        <translation>TVM kann {op_type} ({name}) nicht importieren: {notes}.</translation>
    </message>
    <message>
        <source>TVM cannot import {op_type} ({own}): {name} is {types}.</source>
        <translation>TVM kann {op_type} ({own}) nicht importieren: {name} ist {types}.</translation>
    </message>
    <message>
        <source>TVM cannot import {title}: {error}.</source>
        <translation>TVM kann {title} nicht importieren: {error}.</translation>
    </message>
    <message>
        <source>TVM cannot import {title}: {why}.</source>
        <translation>TVM kann {title} nicht importieren: {why}.</translation>
    </message>
    <message>
        <source>TVM cannot import {title}: {why}{uses}.</source>
        <translation>TVM kann {title} nicht importieren: {why}{uses}.</translation>
    </message>
    <message>
        <source>TVM cannot lower the model for this target, though it can lower each operator of it.</source>
        <translation>TVM kann das Modell für dieses Target nicht absenken, jeden seiner Operatoren aber doch.</translation>
    </message>
    <message>
        <source>TVM cannot lower the operator {operator} for this target (inputs {types}).</source>
        <translation>TVM kann den Operator {operator} für dieses Target nicht absenken (Eingaben {types}).</translation>
    </message>
    <message>
        <source>TVM cannot lower {nodes} for this target{uses}.</source>
        <translation>TVM kann {nodes} für dieses Target nicht absenken{uses}.</translation>
    </message>
    <message>
        <source>TVM cannot make kernels of {prepared}: {error}.</source>
        <translation>TVM kann aus {prepared} keine Kernel machen: {error}.</translation>
    </message>
    <message>
        <source>TVM does not know the target {shown!r}: {reason}.</source>
        <translation>TVM kennt das Target {shown!r} nicht: {reason}.</translation>
    </message>
    <message>
        <source>TVM finds no design space for {task}: {error}.</source>
        <translation>TVM findet keinen Entwurfsraum für {task}: {error}.</translation>
    </message>
    <message>
        <source>TVM finds no further schedule for {name}: {error}.</source>
        <translation>TVM findet keinen weiteren Schedule für {name}: {error}.</translation>
    </message>
    <message>
        <source>TVM finds no schedule for {name}: {error}.</source>
        <translation>TVM findet keinen Schedule für {name}: {error}.</translation>
    </message>
    <message>
        <source>TVM&apos;s target</source>
        <translation>Target von TVM</translation>
    </message>
    <message>
        <source>TVM&apos;s tracker needs the package tornado.</source>
        <translation>Der Tracker von TVM braucht das Paket tornado.</translation>
    </message>
    <message>
        <source>Take back the opening of a model, the export or the finding of design spaces</source>
        <translation>Das Öffnen eines Modells, den Export oder das Ermitteln der Suchräume abbrechen</translation>
    </message>
    <message>
        <source>Take it out of this list</source>
        <translation>Aus dieser Liste nehmen</translation>
    </message>
    <message>
        <source>Take its runs out of use, or tune the model anew.</source>
        <translation>Seine Läufe aus dem Gebrauch nehmen oder das Modell neu tunen.</translation>
    </message>
    <message>
        <source>Take letters, digits and - _ . between them.</source>
        <translation>Buchstaben, Ziffern und dazwischen - _ . nehmen.</translation>
    </message>
    <message>
        <source>Take one of the two back.</source>
        <translation>Eines von beiden zurücknehmen.</translation>
    </message>
    <message>
        <source>Take the clusters of the Clusters view, a person&apos;s edits included</source>
        <translation>Die Cluster der Ansicht „Cluster“ nehmen, eigene Änderungen eingeschlossen</translation>
    </message>
    <message>
        <source>Take the command&apos;s keys away</source>
        <translation>Dem Befehl die Tasten nehmen</translation>
    </message>
    <message>
        <source>Take the jobs in turn</source>
        <translation>Die Jobs der Reihe nach nehmen</translation>
    </message>
    <message>
        <source>Take the jobs in turn, or hold all of them</source>
        <translation>Die Jobs der Reihe nach nehmen, oder alle anhalten</translation>
    </message>
    <message>
        <source>Take the jobs in turn: {choice}</source>
        <translation>Die Jobs der Reihe nach nehmen: {choice}</translation>
    </message>
    <message>
        <source>Take the keyboard to the next panel, page or bar</source>
        <translation>Die Tastatur zum nächsten Bereich, zur nächsten Seite oder Leiste bringen</translation>
    </message>
    <message>
        <source>Take the keyboard to the panel, page or bar before</source>
        <translation>Die Tastatur zum vorigen Bereich, zur vorigen Seite oder Leiste bringen</translation>
    </message>
    <message>
        <source>Take the last edit back: of wishes, budget, clusters, names and notes</source>
        <translation>Die letzte Änderung rückgängig machen: an Wünschen, Budget, Clustern, Namen und Notizen</translation>
    </message>
    <message>
        <source>Take the marked job off the list (Delete)</source>
        <translation>Den markierten Job von der Liste nehmen (Entf)</translation>
    </message>
    <message>
        <source>Take the marked step out</source>
        <translation>Den markierten Schritt herausnehmen</translation>
    </message>
    <message>
        <source>Take the panel that has the keyboard round the window</source>
        <translation>Den Bereich mit der Tastatur um das Fenster führen</translation>
    </message>
    <message>
        <source>Take the steps of a plan again until the budget ends</source>
        <translation>Die Schritte eines Plans wiederholen, bis das Budget endet</translation>
    </message>
    <message>
        <source>Takes the steps in their order, each from the best that those before it left.</source>
        <translation>Macht die Schritte der Reihe nach, jeden vom Besten aus, das die vorigen hinterließen.</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Target</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>Task {both} is to be skipped and to get slots.</source>
        <translation>Task {both} soll ausgelassen werden und Slots bekommen.</translation>
    </message>
    <message>
        <source>Task {task} failed: {reason}</source>
        <translation>Task {task} ist gescheitert: {reason}</translation>
    </message>
    <message>
        <source>Task {to_representative} represents no cluster.</source>
        <translation>Task {to_representative} vertritt keinen Cluster.</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>Tasks by similarity</source>
        <translation>Tasks nach Ähnlichkeit</translation>
    </message>
    <message>
        <source>Tasks of the class whose best schedules a slot begins with</source>
        <translation>Aufgaben der Klasse, mit deren besten Schedules ein Slot beginnt</translation>
    </message>
    <message>
        <source>Tasks that are more alike than this may use one schedule</source>
        <translation>Tasks, die sich ähnlicher sind, können einen Schedule teilen</translation>
    </message>
    <message>
        <source>Tear off or put back panel</source>
        <translation>Bereich ablösen oder zurücksetzen</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>That could not be worked out.</source>
        <translation>Das ließ sich nicht berechnen.</translation>
    </message>
    <message>
        <source>That is all it takes</source>
        <translation>Das ist alles</translation>
    </message>
    <message>
        <source>The Dask cluster at {place} is on another machine and has no encryption: whoever is on the network between could run code here.</source>
        <translation>Der Dask-Cluster bei {place} ist auf einer anderen Maschine und nicht verschlüsselt: Wer im Netz dazwischen ist, könnte hier Code ausführen.</translation>
    </message>
    <message>
        <source>The Tunewright that runs the queue chose it</source>
        <translation>Das Tunewright, das die Warteschlange bedient, hat es gewählt</translation>
    </message>
    <message>
        <source>The account needs a shell and Python 3.6 or later.</source>
        <translation>Das Konto braucht eine Shell und Python ab 3.6.</translation>
    </message>
    <message>
        <source>The account on {host} may not read {name}.</source>
        <translation>Das Konto auf {host} darf {name} nicht lesen.</translation>
    </message>
    <message>
        <source>The address of a Dask scheduler whose workers build; empty: build here</source>
        <translation>Die Adresse eines Dask-Schedulers, dessen Worker bauen; leer: hier bauen</translation>
    </message>
    <message>
        <source>The board was hot and held its cores back.</source>
        <translation>Das Board war heiß und drosselte seine Kerne.</translation>
    </message>
    <message>
        <source>The bold line is the latency of the whole model. Each step down is a faster schedule.</source>
        <translation>Die fette Linie ist die Latenz des ganzen Modells. Jede Stufe abwärts ist ein schnellerer Schedule.</translation>
    </message>
    <message>
        <source>The build workers broke: {error}.</source>
        <translation>Die Build-Worker sind gescheitert: {error}.</translation>
    </message>
    <message>
        <source>The build workers die again and again: {how}.</source>
        <translation>Die Build-Worker sterben immer wieder: {how}.</translation>
    </message>
    <message>
        <source>The build workers do not start: {said}.</source>
        <translation>Die Build-Worker starten nicht: {said}.</translation>
    </message>
    <message>
        <source>The certificates for the cluster cannot be read.</source>
        <translation>Die Zertifikate für den Cluster lassen sich nicht lesen.</translation>
    </message>
    <message>
        <source>The cluster at {address} has no worker left that builds.</source>
        <translation>Der Cluster bei {address} hat keinen Worker mehr, der baut.</translation>
    </message>
    <message>
        <source>The cluster&apos;s scheduler at {address} has gone away.</source>
        <translation>Der Scheduler des Clusters bei {address} ist weg.</translation>
    </message>
    <message>
        <source>The cluster&apos;s scheduler at {key} has gone away</source>
        <translation>Der Scheduler des Clusters bei {key} ist weg</translation>
    </message>
    <message>
        <source>The cluster&apos;s worker {name} may not start processes, and its work needs some.</source>
        <translation>Der Worker {name} des Clusters darf keine Prozesse starten, und seine Arbeit braucht welche.</translation>
    </message>
    <message>
        <source>The cluster&apos;s {name} cannot load Tunewright: {answer}.</source>
        <translation>{name} des Clusters kann Tunewright nicht laden: {answer}.</translation>
    </message>
    <message>
        <source>The cluster&apos;s {where} has {name} {own}, this run {version}.</source>
        <translation>{where} des Clusters hat {name} {own}, dieser Lauf {version}.</translation>
    </message>
    <message>
        <source>The compiled module does not run. {reason}</source>
        <translation>Das kompilierte Modul läuft nicht. {reason}</translation>
    </message>
    <message>
        <source>The compiled module does not run. {refusal}</source>
        <translation>Das kompilierte Modul läuft nicht. {refusal}</translation>
    </message>
    <message>
        <source>The compiled module does not run. {what}</source>
        <translation>Das kompilierte Modul läuft nicht. {what}</translation>
    </message>
    <message>
        <source>The compiled program has other kernels than the model&apos;s operators.</source>
        <translation>Das kompilierte Programm hat andere Kernel als die Operatoren des Modells.</translation>
    </message>
    <message>
        <source>The connection to {host} was cut.</source>
        <translation>Die Verbindung zu {host} ist abgerissen.</translation>
    </message>
    <message>
        <source>The connection was closed here.</source>
        <translation>Die Verbindung wurde hier beendet.</translation>
    </message>
    <message>
        <source>The curve that a task&apos;s progress is taken to follow</source>
        <translation>Die Kurve, der der Fortschritt eines Tasks folgen soll</translation>
    </message>
    <message>
        <source>The decision that differs</source>
        <translation>Die Entscheidung, die sich unterscheidet</translation>
    </message>
    <message>
        <source>The device at {before} is lost; the run goes on with the one at {server}, which is as fast.</source>
        <translation>Das Gerät bei {before} ist verloren; der Lauf geht mit dem bei {server} weiter, das ebenso schnell ist.</translation>
    </message>
    <message>
        <source>The device at {lost} was lost; its trial was repeated.</source>
        <translation>Das Gerät bei {lost} ging verloren; sein Versuch wurde wiederholt.</translation>
    </message>
    <message>
        <source>The device at {server} is lost. {error}.</source>
        <translation>Das Gerät bei {server} ist verloren. {error}.</translation>
    </message>
    <message>
        <source>The device at {server} is not as fast as the one at {before}, and does not take its place.</source>
        <translation>Das Gerät bei {server} ist nicht so schnell wie das bei {before} und tritt nicht an dessen Stelle.</translation>
    </message>
    <message>
        <source>The device at {server} measures again.</source>
        <translation>Das Gerät bei {server} misst wieder.</translation>
    </message>
    <message>
        <source>The device is lost. {error_text}</source>
        <translation>Das Gerät ist verloren. {error_text}</translation>
    </message>
    <message>
        <source>The device {name} does not measure: {error_text}</source>
        <translation>Das Gerät {name} misst nicht: {error_text}</translation>
    </message>
    <message>
        <source>The device {name} is lost: {error_text} So {end}.</source>
        <translation>Das Gerät {name} ist verloren: {error_text} Also: {end}.</translation>
    </message>
    <message>
        <source>The device {name} measures again.</source>
        <translation>Das Gerät {name} misst wieder.</translation>
    </message>
    <message>
        <source>The devices agree within {share:.0%}: measurements are spread over them.</source>
        <translation>Die Geräte stimmen auf {share:.0%} überein: Messungen werden auf sie verteilt.</translation>
    </message>
    <message>
        <source>The devices do not all agree within {share:.0%}: each task stays on one of {groups}.</source>
        <translation>Die Geräte stimmen nicht alle auf {share:.0%} überein: Jeder Task bleibt auf einem von {groups}.</translation>
    </message>
    <message>
        <source>The disk failed while {path} was read or written.</source>
        <translation>Die Platte versagte, als {path} gelesen oder geschrieben wurde.</translation>
    </message>
    <message>
        <source>The disk is full: no compiled kernel can be written in {where}.</source>
        <translation>Die Platte ist voll: In {where} lässt sich kein kompilierter Kernel schreiben.</translation>
    </message>
    <message>
        <source>The disk is full: {path} could not be written.</source>
        <translation>Die Platte ist voll: {path} ließ sich nicht schreiben.</translation>
    </message>
    <message>
        <source>The donor&apos;s task</source>
        <translation>Der Task des Spenders</translation>
    </message>
    <message>
        <source>The drive that {path} is on gives no locks, without which two programs could write it at once.</source>
        <translation>Das Laufwerk von {path} kennt keine Sperren, ohne die zwei Programme zugleich schreiben könnten.</translation>
    </message>
    <message>
        <source>The earlier trial</source>
        <translation>Der frühere Versuch</translation>
    </message>
    <message>
        <source>The engine has not been started.</source>
        <translation>Die Engine ist nicht gestartet.</translation>
    </message>
    <message>
        <source>The experiment has {count:,} cells.</source>
        <translation>Das Experiment hat {count:,} Zellen.</translation>
    </message>
    <message>
        <source>The export runs one operator after another: {reason}</source>
        <translation>Der Export führt einen Operator nach dem anderen aus: {reason}</translation>
    </message>
    <message>
        <source>The export was never run, nor measured: {why}</source>
        <translation>Der Export lief nie und wurde nicht gemessen: {why}</translation>
    </message>
    <message>
        <source>The export was never run: it was not measured, and its outputs were not compared with those of {reference}. {why}</source>
        <translation>Der Export lief nie: Er wurde nicht gemessen, und seine Ausgaben wurden nicht mit denen von {reference} verglichen. {why}</translation>
    </message>
    <message>
        <source>The field {name!r} of a target is not taken.</source>
        <translation>Das Feld {name!r} eines Targets wird nicht angenommen.</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>Die Datei ist leer.</translation>
    </message>
    <message>
        <source>The file is longer than a million characters.</source>
        <translation>Die Datei ist länger als eine Million Zeichen.</translation>
    </message>
    <message>
        <source>The file is no YAML text.</source>
        <translation>Die Datei ist kein YAML-Text.</translation>
    </message>
    <message>
        <source>The file may be damaged: export it again. Where it runs in ONNX Runtime, report it.</source>
        <translation>Die Datei kann beschädigt sein: Neu exportieren. Läuft sie in ONNX Runtime, das melden.</translation>
    </message>
    <message>
        <source>The file may be damaged; copy it or export the model again.</source>
        <translation>Die Datei kann beschädigt sein; sie neu kopieren oder das Modell neu exportieren.</translation>
    </message>
    <message>
        <source>The file that the donor is in</source>
        <translation>Die Datei, in der der Spender ist</translation>
    </message>
    <message>
        <source>The file {path} cannot be written: {why}.</source>
        <translation>Die Datei {path} kann nicht geschrieben werden: {why}.</translation>
    </message>
    <message>
        <source>The finals of {count:,} tasks were disturbed, other programs had up to {load} of the cores.</source>
        <translation>Die Endrunden von {count:,} Tasks wurden gestört, andere Programme hatten bis zu {load} der Kerne.</translation>
    </message>
    <message>
        <source>The finals of {count:,} tasks were disturbed.</source>
        <translation>Die Endrunden von {count:,} Tasks wurden gestört.</translation>
    </message>
    <message>
        <source>The first node of the file that differs is {node}.</source>
        <translation>Der erste Knoten der Datei, der abweicht, ist {node}.</translation>
    </message>
    <message>
        <source>The first node that differs is {node} ({ours} for {theirs}).</source>
        <translation>Der erste abweichende Knoten ist {node} ({ours} statt {theirs}).</translation>
    </message>
    <message>
        <source>The folder of {path} does not exist.</source>
        <translation>Den Ordner von {path} gibt es nicht.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be made: {strerror}.</source>
        <translation>Der Ordner {folder} lässt sich nicht anlegen: {strerror}.</translation>
    </message>
    <message>
        <source>The folder {parent} is protected.</source>
        <translation>Der Ordner {parent} ist geschützt.</translation>
    </message>
    <message>
        <source>The frequency of shape {n} is no whole number of 1 or more.</source>
        <translation>Die Häufigkeit von Form {n} ist keine ganze Zahl ab 1.</translation>
    </message>
    <message>
        <source>The fused operators that compute it, without shapes</source>
        <translation>Die fusionierten Operatoren, die sie berechnen, ohne Formen</translation>
    </message>
    <message>
        <source>The fused operators that run</source>
        <translation>Die fusionierten Operatoren, die laufen</translation>
    </message>
    <message>
        <source>The fused operators, without shapes</source>
        <translation>Die fusionierten Operatoren, ohne Formen</translation>
    </message>
    <message>
        <source>The help from its first page</source>
        <translation>Die Hilfe von der ersten Seite an</translation>
    </message>
    <message>
        <source>The help page on experiments has an example.</source>
        <translation>Die Hilfeseite zu Experimenten hat ein Beispiel.</translation>
    </message>
    <message>
        <source>The help says under Troubleshooting what may be missing.</source>
        <translation>Die Hilfe sagt unter Troubleshooting, was fehlen kann.</translation>
    </message>
    <message>
        <source>The inference in words</source>
        <translation>Die Inferenz in Worten</translation>
    </message>
    <message>
        <source>The inputs of {operator} (node {node}) do not fit together{why}.</source>
        <translation>Die Eingaben von {operator} (Knoten {node}) passen nicht zusammen{why}.</translation>
    </message>
    <message>
        <source>The inputs were: {draw}.</source>
        <translation>Die Eingaben waren: {draw}.</translation>
    </message>
    <message>
        <source>The interface is drawn at {size} from the next start on.</source>
        <translation>Die Oberfläche wird ab dem nächsten Start mit {size} gezeichnet.</translation>
    </message>
    <message>
        <source>The job ends at this latency</source>
        <translation>Bei dieser Latenz endet der Job</translation>
    </message>
    <message>
        <source>The kernel that compares devices cannot be built: {error_text}</source>
        <translation>Der Kernel, der Geräte vergleicht, lässt sich nicht bauen: {error_text}</translation>
    </message>
    <message>
        <source>The language changes with the next start.</source>
        <translation>Die Sprache wechselt mit dem nächsten Start.</translation>
    </message>
    <message numerus="yes">
        <source>The last run was interrupted after %n trials; all are kept.</source>
        <translation>
            <numerusform>Der letzte Lauf wurde nach %n Versuch unterbrochen; er bleibt erhalten.</numerusform>
            <numerusform>Der letzte Lauf wurde nach %n Versuchen unterbrochen; alle bleiben erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>The last run was interrupted: continue it.</source>
        <translation>Der letzte Lauf wurde unterbrochen: ihn fortsetzen.</translation>
    </message>
    <message>
        <source>The last session ended in a crash; every measured trial is in its project file.</source>
        <translation>Die letzte Sitzung endete mit einem Absturz; jeder gemessene Versuch ist in seiner Projektdatei.</translation>
    </message>
    <message>
        <source>The latency of what it is compared with</source>
        <translation>Die Latenz dessen, womit verglichen wird</translation>
    </message>
    <message>
        <source>The later trial</source>
        <translation>Der spätere Versuch</translation>
    </message>
    <message>
        <source>The layout {name} is not one of this version.</source>
        <translation>Die Anordnung {name} ist keine dieser Version.</translation>
    </message>
    <message>
        <source>The library has {new} new and {better} better records of {model}: traces and latencies, no weights.</source>
        <translation>Die Bibliothek hat {new} neue und {better} bessere Records von {model}: Traces und Latenzen, keine Gewichte.</translation>
    </message>
    <message>
        <source>The library is open for reading only.</source>
        <translation>Die Bibliothek ist nur zum Lesen offen.</translation>
    </message>
    <message>
        <source>The library {path}</source>
        <translation>Die Bibliothek {path}</translation>
    </message>
    <message>
        <source>The library {value} does not load: {error}.</source>
        <translation>Die Bibliothek {value} lädt nicht: {error}.</translation>
    </message>
    <message>
        <source>The marked step comes earlier</source>
        <translation>Der markierte Schritt kommt früher</translation>
    </message>
    <message>
        <source>The marked step comes later</source>
        <translation>Der markierte Schritt kommt später</translation>
    </message>
    <message>
        <source>The measuring process does not start: {refusal}.</source>
        <translation>Der Messprozess startet nicht: {refusal}.</translation>
    </message>
    <message>
        <source>The merged operators of this project are not those that this version makes of the model.</source>
        <translation>Die zusammengelegten Operatoren dieses Projekts sind nicht die, die diese Version aus dem Modell macht.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>The model branches on its data: If ({names}).</source>
        <translation>Das Modell verzweigt nach seinen Daten: If ({names}).</translation>
    </message>
    <message>
        <source>The model checks shapes while it runs.</source>
        <translation>Das Modell prüft Formen, während es läuft.</translation>
    </message>
    <message>
        <source>The model computes {name} of shape {spec}, more than {max_elements} elements.</source>
        <translation>Das Modell berechnet {name} der Form {spec}, mehr als {max_elements} Elemente.</translation>
    </message>
    <message>
        <source>The model does not accept inputs of these shapes: {what}</source>
        <translation>Das Modell nimmt keine Eingaben dieser Formen: {what}</translation>
    </message>
    <message>
        <source>The model has no input {name}.</source>
        <translation>Das Modell hat keine Eingabe {name}.</translation>
    </message>
    <message>
        <source>The model holds a value that is no tensor.</source>
        <translation>Das Modell enthält einen Wert, der kein Tensor ist.</translation>
    </message>
    <message>
        <source>The model of this project is not at {location} any more.</source>
        <translation>Das Modell dieses Projekts ist nicht mehr bei {location}.</translation>
    </message>
    <message>
        <source>The model says of no input which shape it wants.</source>
        <translation>Das Modell sagt von keiner Eingabe, welche Form es will.</translation>
    </message>
    <message>
        <source>The model still holds {operator} after lowering, which has no static kernel.</source>
        <translation>Das Modell enthält nach dem Absenken noch {operator}, wofür es keinen festen Kernel gibt.</translation>
    </message>
    <message>
        <source>The model that the schedule was made for</source>
        <translation>Das Modell, für das der Schedule gemacht wurde</translation>
    </message>
    <message>
        <source>The model&apos;s constants, {needed:.1f} GB, do not fit into {parent}: {strerror}.</source>
        <translation>Die Konstanten des Modells, {needed:.1f} GB, passen nicht nach {parent}: {strerror}.</translation>
    </message>
    <message>
        <source>The model&apos;s estimated latency at its end</source>
        <translation>Die geschätzte Latenz des Modells am Ende</translation>
    </message>
    <message>
        <source>The model&apos;s estimated latency now</source>
        <translation>Die geschätzte Latenz des Modells jetzt</translation>
    </message>
    <message>
        <source>The model&apos;s function {function} calls itself.</source>
        <translation>Die Funktion {function} des Modells ruft sich selbst auf.</translation>
    </message>
    <message>
        <source>The model&apos;s functions become more than {max_nodes} operators, {size:,} of them in {op_type} ({node}).</source>
        <translation>Aus den Funktionen des Modells werden mehr als {max_nodes} Operatoren, {size:,} davon in {op_type} ({node}).</translation>
    </message>
    <message>
        <source>The model&apos;s functions call each other {max_depth} deep.</source>
        <translation>Die Funktionen des Modells rufen sich {max_depth} tief auf.</translation>
    </message>
    <message>
        <source>The model&apos;s latency after tuning</source>
        <translation>Die Latenz des Modells nach dem Tuning</translation>
    </message>
    <message>
        <source>The model&apos;s latency before tuning</source>
        <translation>Die Latenz des Modells vor dem Tuning</translation>
    </message>
    <message>
        <source>The model&apos;s name in the experiment</source>
        <translation>Der Name des Modells im Experiment</translation>
    </message>
    <message>
        <source>The model&apos;s shapes depend on its data.</source>
        <translation>Die Formen des Modells hängen von seinen Daten ab.</translation>
    </message>
    <message>
        <source>The model, in the colour of its bars below</source>
        <translation>Das Modell, in der Farbe seiner Balken unten</translation>
    </message>
    <message>
        <source>The module does not run. {why}</source>
        <translation>Das Modul läuft nicht. {why}</translation>
    </message>
    <message>
        <source>The module took too long for the draws before.</source>
        <translation>Das Modul brauchte für die Ziehungen davor zu lange.</translation>
    </message>
    <message>
        <source>The most important knobs side by side (P)</source>
        <translation>Die wichtigsten Regler nebeneinander (P)</translation>
    </message>
    <message>
        <source>The name of the node of the model&apos;s file that leads it</source>
        <translation>Der Name des Knotens der Modelldatei, der sie anführt</translation>
    </message>
    <message>
        <source>The name {path} is too long.</source>
        <translation>Der Name {path} ist zu lang.</translation>
    </message>
    <message>
        <source>The neighbours of a step are those of one point</source>
        <translation>Die Nachbarn eines Schritts sind die eines Punktes</translation>
    </message>
    <message>
        <source>The next place (F3)</source>
        <translation>Die nächste Stelle (F3)</translation>
    </message>
    <message>
        <source>The next place that differs (F7)</source>
        <translation>Die nächste Stelle, die sich unterscheidet (F7)</translation>
    </message>
    <message>
        <source>The next stage waited for {wanted} cores, of which {held} were held: {stages}.</source>
        <translation>Der nächste Abschnitt wartete auf {wanted} Kerne, von denen {held} belegt waren: {stages}.</translation>
    </message>
    <message>
        <source>The nodes of the model&apos;s file</source>
        <translation>Die Knoten der Modelldatei</translation>
    </message>
    <message>
        <source>The open &amp;project…</source>
        <translation>Das offene &amp;Projekt…</translation>
    </message>
    <message>
        <source>The open project stays with its precision; {precision} holds for the next model.</source>
        <translation>Das offene Projekt behält seine Genauigkeit; {precision} gilt für das nächste Modell.</translation>
    </message>
    <message>
        <source>The open project stays with its target; {target} holds for the next model.</source>
        <translation>Das offene Projekt behält sein Target; {target} gilt für das nächste Modell.</translation>
    </message>
    <message>
        <source>The other tasks are tuned; this one keeps TVM&apos;s default.</source>
        <translation>Die anderen Tasks werden getunt; dieser behält die Vorgabe von TVM.</translation>
    </message>
    <message>
        <source>The other tasks are tuned; this one keeps its best one.</source>
        <translation>Die anderen Tasks werden getunt; dieser behält seinen besten.</translation>
    </message>
    <message>
        <source>The output {output} differs from {reference}&apos;s by {largest:.3g}.</source>
        <translation>Die Ausgabe {output} weicht um {largest:.3g} von der von {reference} ab.</translation>
    </message>
    <message>
        <source>The output {output} differs from {reference}&apos;s in {wrong} of {size} elements.</source>
        <translation>Die Ausgabe {output} weicht von der von {reference} in {wrong} von {size} Elementen ab.</translation>
    </message>
    <message>
        <source>The output {output} has infinities or NaNs where {reference}&apos;s has others.</source>
        <translation>Die Ausgabe {output} hat Unendlich oder NaN, wo die von {reference} anderes hat.</translation>
    </message>
    <message>
        <source>The output {output} is {ours}, not {theirs} as {reference}&apos;s.</source>
        <translation>Die Ausgabe {output} ist {ours}, nicht {theirs} wie die von {reference}.</translation>
    </message>
    <message>
        <source>The panel that has the keyboard becomes a window, or is one no longer</source>
        <translation>Der Bereich mit der Tastatur wird ein Fenster oder ist keines mehr</translation>
    </message>
    <message>
        <source>The passes were run. Export it, or tune longer: {task} has most of the latency.</source>
        <translation>Die Durchgänge liefen. Exportieren oder länger tunen: {task} hat den größten Teil der Latenz.</translation>
    </message>
    <message>
        <source>The path has characters that no name of a file should have.</source>
        <translation>Der Pfad hat Zeichen, die in keinem Dateinamen stehen sollten.</translation>
    </message>
    <message>
        <source>The peaks of this device are not known here: measure again.</source>
        <translation>Die Spitzen dieses Geräts sind hier nicht bekannt: neu messen.</translation>
    </message>
    <message>
        <source>The place before (Shift+F3)</source>
        <translation>Die Stelle davor (Umschalt+F3)</translation>
    </message>
    <message>
        <source>The place in the queue</source>
        <translation>Der Platz in der Warteschlange</translation>
    </message>
    <message>
        <source>The policy takes {share} of the time ({time} a slot).</source>
        <translation>Die Strategie braucht {share} der Zeit ({time} je Slot).</translation>
    </message>
    <message>
        <source>The policy {name}</source>
        <translation>Die Strategie {name}</translation>
    </message>
    <message>
        <source>The policy {name} has no option {words}.</source>
        <translation>Die Strategie {name} hat keine Option {words}.</translation>
    </message>
    <message>
        <source>The policy {name} needs to know the future.</source>
        <translation>Die Strategie {name} muss die Zukunft kennen.</translation>
    </message>
    <message>
        <source>The previous place that differs (Shift+F7)</source>
        <translation>Die vorige Stelle, die sich unterscheidet (Umschalt+F7)</translation>
    </message>
    <message>
        <source>The probe kernel took {times}.</source>
        <translation>Der Probekernel brauchte {times}.</translation>
    </message>
    <message>
        <source>The program does more than return tensors ({kind}).</source>
        <translation>Das Programm tut mehr, als Tensoren zurückzugeben ({kind}).</translation>
    </message>
    <message>
        <source>The program does not take {wanted} for a size of input {name}, which depends on another.</source>
        <translation>Das Programm nimmt {wanted} nicht als Größe der Eingabe {name}, die von einer anderen abhängt.</translation>
    </message>
    <message>
        <source>The program keeps a state that it changes as it runs ({names}), by {operators}.</source>
        <translation>Das Programm hat einen Zustand, den es beim Laufen ändert ({names}), durch {operators}.</translation>
    </message>
    <message>
        <source>The program returns no tensor.</source>
        <translation>Das Programm gibt keinen Tensor zurück.</translation>
    </message>
    <message>
        <source>The program takes an input of the kind {kind}.</source>
        <translation>Das Programm nimmt eine Eingabe der Art {kind}.</translation>
    </message>
    <message>
        <source>The program takes no {size} for its size {symbol}.</source>
        <translation>Das Programm nimmt {size} nicht für seine Größe {symbol}.</translation>
    </message>
    <message>
        <source>The project cannot be written here.</source>
        <translation>Das Projekt kann hier nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The project has one shape, and nothing to be padded to.</source>
        <translation>Das Projekt hat eine Form und nichts, worauf aufgefüllt wird.</translation>
    </message>
    <message>
        <source>The project has {latency} already, where {wanted} was asked for.</source>
        <translation>Das Projekt hat schon {latency}, verlangt war {wanted}.</translation>
    </message>
    <message>
        <source>The project is now {path}.</source>
        <translation>Das Projekt ist jetzt {path}.</translation>
    </message>
    <message>
        <source>The project is tuned on {own}, which is not among {names}.</source>
        <translation>Das Projekt wird auf {own} getunt, das nicht unter {names} ist.</translation>
    </message>
    <message>
        <source>The project names this address, and what answers there can run code on this machine. Say yes only if you know who that is; it is remembered.</source>
        <translation>Das Projekt nennt diese Adresse, und was dort antwortet, kann auf diesem Rechner Code ausführen. Nur zustimmen, wenn bekannt ist, wer das ist; das Ja wird gemerkt.</translation>
    </message>
    <message>
        <source>The python3 of {host} lacks a part of its standard library.</source>
        <translation>Dem python3 von {host} fehlt ein Teil der Standardbibliothek.</translation>
    </message>
    <message>
        <source>The queue cannot be put in the order {names}.</source>
        <translation>Die Warteschlange lässt sich nicht in die Folge {names} bringen.</translation>
    </message>
    <message>
        <source>The queue has ended: {jobs}, of which {failed} failed.</source>
        <translation>Die Warteschlange ist zu Ende: {jobs}, davon {failed} gescheitert.</translation>
    </message>
    <message>
        <source>The queue has ended: {jobs}, of which {failed} failed; {left} did not run.</source>
        <translation>Die Warteschlange ist zu Ende: {jobs}, davon {failed} gescheitert; {left} nicht gelaufen.</translation>
    </message>
    <message>
        <source>The queue has ended: {jobs}; {left} did not run.</source>
        <translation>Die Warteschlange ist zu Ende: {jobs}; {left} nicht gelaufen.</translation>
    </message>
    <message>
        <source>The queue has no job {number}.</source>
        <translation>Die Warteschlange hat keinen Job {number}.</translation>
    </message>
    <message>
        <source>The queue is done: {jobs}.</source>
        <translation>Die Warteschlange ist fertig: {jobs}.</translation>
    </message>
    <message>
        <source>The queue is held.</source>
        <translation>Die Warteschlange ist angehalten.</translation>
    </message>
    <message>
        <source>The queue still runs. If it stops, every result is kept, and jobs that are under way go on next time.</source>
        <translation>Die Warteschlange läuft noch. Endet sie, bleibt jedes Ergebnis, und Jobs, die im Gange sind, gehen beim nächsten Mal weiter.</translation>
    </message>
    <message>
        <source>The queue still runs. It can go on without a window: start Tunewright again to see it. If it stops, every result is kept, and jobs that are under way go on next time.</source>
        <translation>Die Warteschlange läuft noch. Sie kann ohne Fenster weiterlaufen: Tunewright wieder starten, um sie zu sehen. Endet sie, bleibt jedes Ergebnis, und Jobs, die im Gange sind, gehen beim nächsten Mal weiter.</translation>
    </message>
    <message>
        <source>The queue {path}</source>
        <translation>Die Warteschlange {path}</translation>
    </message>
    <message>
        <source>The report is ready to be printed.</source>
        <translation>Der Bericht kann gedruckt werden.</translation>
    </message>
    <message>
        <source>The report is {path}.</source>
        <translation>Der Bericht ist {path}.</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>Der Lauf</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>Der Lauf ist gescheitert.</translation>
    </message>
    <message>
        <source>The run failed: {error}.</source>
        <translation>Der Lauf ist gescheitert: {error}.</translation>
    </message>
    <message>
        <source>The run failed: {reason}</source>
        <translation>Der Lauf ist gescheitert: {reason}</translation>
    </message>
    <message>
        <source>The run goes on without {name}.</source>
        <translation>Der Lauf geht ohne {name} weiter.</translation>
    </message>
    <message>
        <source>The run is finished.</source>
        <translation>Der Lauf ist fertig.</translation>
    </message>
    <message>
        <source>The run is finished. Its schedules may serve your other models as donors.</source>
        <translation>Der Lauf ist fertig. Seine Schedules können anderen Modellen als Spender dienen.</translation>
    </message>
    <message>
        <source>The run is finished: {reason}.</source>
        <translation>Der Lauf ist fertig: {reason}.</translation>
    </message>
    <message>
        <source>The run is over.</source>
        <translation>Der Lauf ist vorbei.</translation>
    </message>
    <message>
        <source>The run is still being prepared.</source>
        <translation>Der Lauf wird noch vorbereitet.</translation>
    </message>
    <message>
        <source>The runner was closed.</source>
        <translation>Der Runner wurde geschlossen.</translation>
    </message>
    <message>
        <source>The same seed gives the same proposals</source>
        <translation>Derselbe Seed ergibt dieselben Vorschläge</translation>
    </message>
    <message>
        <source>The sample {title} is not among the installed files of the onnx package.</source>
        <translation>Das Beispiel {title} ist nicht unter den installierten Dateien des Pakets onnx.</translation>
    </message>
    <message>
        <source>The sampler cannot go with {walkers} walkers for {family}.</source>
        <translation>Der Sampler kann für {family} nicht mit {walkers} Walkern arbeiten.</translation>
    </message>
    <message>
        <source>The schedule will be here when the search has ended.</source>
        <translation>Der Stufenplan erscheint hier, wenn die Suche beendet ist.</translation>
    </message>
    <message>
        <source>The schedules of task {to_representative} cannot replay on task {task}.</source>
        <translation>Die Schedules von Task {to_representative} lassen sich auf Task {task} nicht anwenden.</translation>
    </message>
    <message>
        <source>The schedules were compared while other programs had {load} of the cores that they need: search again.</source>
        <translation>Die Schedules wurden verglichen, während andere Programme {load} der Kerne hatten, die sie brauchen: Noch einmal suchen.</translation>
    </message>
    <message>
        <source>The scheduling policy {name}</source>
        <translation>Die Reihenfolge {name}</translation>
    </message>
    <message>
        <source>The search ends after so long, measurements included</source>
        <translation>Nach so langer Zeit endet die Suche, Messungen eingerechnet</translation>
    </message>
    <message>
        <source>The search for a schedule was ended before it had one.</source>
        <translation>Die Suche nach einem Schedule endete, bevor sie einen hatte.</translation>
    </message>
    <message>
        <source>The search has ended</source>
        <translation>Die Suche ist beendet</translation>
    </message>
    <message>
        <source>The search is complete</source>
        <translation>Die Suche ist vollständig</translation>
    </message>
    <message>
        <source>The server at {place} takes no session</source>
        <translation>Der Server bei {place} nimmt keine Sitzung an</translation>
    </message>
    <message>
        <source>The server does not answer: {error}</source>
        <translation>Der Server antwortet nicht: {error}</translation>
    </message>
    <message>
        <source>The server does not start. {refusal}</source>
        <translation>Der Server startet nicht. {refusal}</translation>
    </message>
    <message>
        <source>The server has no device {name}</source>
        <translation>Der Server hat kein Gerät {name}</translation>
    </message>
    <message>
        <source>The server starts again, after this: {value}</source>
        <translation>Der Server startet neu, nach diesem: {value}</translation>
    </message>
    <message>
        <source>The shape given for {name} has a size below 1.</source>
        <translation>Die Form für {name} hat eine Größe unter 1.</translation>
    </message>
    <message>
        <source>The shape given for {name} has more than {max_elements} elements.</source>
        <translation>Die Form für {name} hat mehr als {max_elements} Elemente.</translation>
    </message>
    <message>
        <source>The shape of output {name} is not fixed because of {origins}.</source>
        <translation>Die Form der Ausgabe {name} ist nicht fest, wegen {origins}.</translation>
    </message>
    <message>
        <source>The shape of output {name} is not fixed.</source>
        <translation>Die Form der Ausgabe {name} ist nicht fest.</translation>
    </message>
    <message>
        <source>The shape of {name} depends on the program&apos;s data.</source>
        <translation>Die Form von {name} hängt von den Daten des Programms ab.</translation>
    </message>
    <message>
        <source>The shape was {shape}.</source>
        <translation>Die Form war {shape}.</translation>
    </message>
    <message>
        <source>The shape {shape} is given twice.</source>
        <translation>Die Form {shape} ist zweimal angegeben.</translation>
    </message>
    <message>
        <source>The share of tile sizes and choices that the two tasks have in common.</source>
        <translation>Der Anteil der Kachelgrößen und Entscheidungen, die beide Tasks gemeinsam haben.</translation>
    </message>
    <message>
        <source>The slot it was tried in</source>
        <translation>Der Slot, in dem er versucht wurde</translation>
    </message>
    <message>
        <source>The sparse constant {name} has more than 2 GB in full.</source>
        <translation>Die dünn besetzte Konstante {name} hat ausgeschrieben mehr als 2 GB.</translation>
    </message>
    <message>
        <source>The sparse constant {name} has values outside its shape.</source>
        <translation>Die dünn besetzte Konstante {name} hat Werte außerhalb ihrer Form.</translation>
    </message>
    <message>
        <source>The stages over time, against the sequential program</source>
        <translation>Die Stufen über der Zeit, gegen das sequenzielle Programm</translation>
    </message>
    <message>
        <source>The starter library is damaged.</source>
        <translation>Die Starterbibliothek ist beschädigt.</translation>
    </message>
    <message>
        <source>The step ends after so many trials; 0: when it has no more to do</source>
        <translation>Der Schritt endet nach so vielen Versuchen; 0: wenn er nichts mehr zu tun hat</translation>
    </message>
    <message>
        <source>The steps that are taken in turn</source>
        <translation>Die Schritte, die der Reihe nach gegangen werden</translation>
    </message>
    <message>
        <source>The stored schedule is not one of this project&apos;s operators, and is left out.</source>
        <translation>Der gespeicherte Schedule ist nicht für die Operatoren dieses Projekts und wird ausgelassen.</translation>
    </message>
    <message>
        <source>The sum of its stages&apos; latencies</source>
        <translation>Die Summe der Latenzen seiner Stufen</translation>
    </message>
    <message>
        <source>The sum of operators alone</source>
        <translation>Die Summe der Operatoren allein</translation>
    </message>
    <message>
        <source>The target asks for {wanted}, and the GPU here is {have}.</source>
        <translation>Das Target verlangt {wanted}, und die GPU hier ist {have}.</translation>
    </message>
    <message>
        <source>The target could not be looked at.</source>
        <translation>Das Target konnte nicht angesehen werden.</translation>
    </message>
    <message>
        <source>The target is for {wanted}, and this machine is {have}.</source>
        <translation>Das Target ist für {wanted}, und diese Maschine ist {have}.</translation>
    </message>
    <message>
        <source>The target is not valid JSON: {error}.</source>
        <translation>Das Target ist kein gültiges JSON: {error}.</translation>
    </message>
    <message>
        <source>The target {kind} has no device on this machine.</source>
        <translation>Das Target {kind} hat auf dieser Maschine kein Gerät.</translation>
    </message>
    <message>
        <source>The target {kind} has no runner on this machine.</source>
        <translation>Das Target {kind} hat auf dieser Maschine keinen Runner.</translation>
    </message>
    <message>
        <source>The target {mcpu} uses {names}, which this processor lacks.</source>
        <translation>Das Target {mcpu} benutzt {names}, was diesem Prozessor fehlt.</translation>
    </message>
    <message>
        <source>The target {name} has no 64-bit code, which {machine} runs.</source>
        <translation>Das Target {name} hat keinen 64-Bit-Code, den {machine} ausführt.</translation>
    </message>
    <message>
        <source>The target {shown!r} cannot be read: {why}.</source>
        <translation>Das Target {shown!r} lässt sich nicht lesen: {why}.</translation>
    </message>
    <message>
        <source>The target&apos;s peak speed is unknown: {what}</source>
        <translation>Das Spitzentempo des Targets ist unbekannt: {what}</translation>
    </message>
    <message>
        <source>The task it is a candidate of</source>
        <translation>Der Task, dessen Kandidat er ist</translation>
    </message>
    <message>
        <source>The task of this model</source>
        <translation>Der Task dieses Modells</translation>
    </message>
    <message>
        <source>The task of which most is expected; now and then any task, by lot.</source>
        <translation>Der Task, von dem am meisten erwartet wird; ab und zu irgendeiner, durch Los.</translation>
    </message>
    <message>
        <source>The task shares no schedules; the others do.</source>
        <translation>Der Task teilt keine Schedules; die anderen doch.</translation>
    </message>
    <message>
        <source>The task that Droplet polished</source>
        <translation>Der Task, den Droplet verfeinert hat</translation>
    </message>
    <message>
        <source>The task whose next slot may shorten the whole model most: what slots have taught to expect, and a bonus for being unsure of it.</source>
        <translation>Der Task, dessen nächster Slot das ganze Modell am meisten verkürzen kann: was nach den bisherigen Slots zu erwarten ist, und ein Bonus für die Unsicherheit darüber.</translation>
    </message>
    <message>
        <source>The task whose schedules it uses</source>
        <translation>Der Task, dessen Schedules er verwendet</translation>
    </message>
    <message>
        <source>The task&apos;s latency now / latency here: a full bar is the best</source>
        <translation>Latenz des Tasks jetzt / Latenz hier: Ein voller Balken ist der beste</translation>
    </message>
    <message>
        <source>The task&apos;s name in the lowered program</source>
        <translation>Name des Tasks im übersetzten Programm</translation>
    </message>
    <message>
        <source>The task, in the colour of its slots</source>
        <translation>Der Task, in der Farbe seiner Slots</translation>
    </message>
    <message>
        <source>The tasks of this project were made by TVM {tvm_version} and are not the ones that this version makes of the model.</source>
        <translation>Die Tasks dieses Projekts wurden von TVM {tvm_version} gemacht und sind nicht die, die diese Version aus dem Modell macht.</translation>
    </message>
    <message>
        <source>The texts beside each other, or in one column</source>
        <translation>Die Texte nebeneinander oder in einer Spalte</translation>
    </message>
    <message>
        <source>The time of this run&apos;s slots, from the start of each to its last result; slots overlap.
Stored are when each result came, and the seconds that its building and measuring took.
The rest is worked out: a build is taken to end where its measuring begins; the search
lasts until the first build, on this machine&apos;s CPU without what other slots measured
meanwhile; waiting is what is left. Learning comes after the last result and is not in it.</source>
        <translation>Die Zeit der Slots dieses Laufs, vom Start eines jeden bis zu seinem letzten Ergebnis; Slots überlappen sich.
Gespeichert ist, wann jedes Ergebnis kam und wie viele Sekunden Build und Messung dauerten.
Der Rest ist errechnet: Ein Build endet da, wo seine Messung beginnt; die Suche dauert bis
zum ersten Build, auf der CPU dieses Rechners ohne das, was andere Slots in dieser Zeit maßen;
Warten ist, was übrig bleibt. Das Lernen kommt nach dem letzten Ergebnis und zählt nicht mit.</translation>
    </message>
    <message>
        <source>The time ran out</source>
        <translation>Die Zeit war um</translation>
    </message>
    <message>
        <source>The trade-off has {count} of {wanted} limits: the others take too long.</source>
        <translation>Die Abwägung hat {count} von {wanted} Grenzen: Die anderen dauern zu lange.</translation>
    </message>
    <message>
        <source>The trial of the neighbour</source>
        <translation>Der Versuch des Nachbarn</translation>
    </message>
    <message>
        <source>The trial of the point that Droplet stood on</source>
        <translation>Der Versuch des Punktes, auf dem Droplet stand</translation>
    </message>
    <message>
        <source>The trial that measured it here</source>
        <translation>Der Versuch, der ihn hier maß</translation>
    </message>
    <message>
        <source>The trial&apos;s number in the project</source>
        <translation>Nummer des Versuchs im Projekt</translation>
    </message>
    <message>
        <source>The trials are kept; ask again to go on.</source>
        <translation>Die Versuche bleiben erhalten; noch einmal verlangen, um weiterzumachen.</translation>
    </message>
    <message>
        <source>The tuned latency</source>
        <translation>Die getunte Latenz</translation>
    </message>
    <message>
        <source>The tuned model was measured: {latency}.</source>
        <translation>Das getunte Modell wurde gemessen: {latency}.</translation>
    </message>
    <message>
        <source>The untuned latency</source>
        <translation>Die ungetunte Latenz</translation>
    </message>
    <message>
        <source>The untuned latency is disturbed: half of its samples lie more than {spread} from it.</source>
        <translation>Die ungetunte Latenz ist gestört: Die Hälfte der Messwerte liegt um mehr als {spread} daneben.</translation>
    </message>
    <message>
        <source>The untuned latency is disturbed: other programs had {load} of the cores that it needs.</source>
        <translation>Die ungetunte Latenz ist gestört: Andere Programme hatten {load} der Kerne, die sie braucht.</translation>
    </message>
    <message>
        <source>The untuned latency is disturbed: the board was hot and held its cores back.</source>
        <translation>Die Latenz ohne Tuning ist gestört: Das Board war heiß und drosselte seine Kerne.</translation>
    </message>
    <message>
        <source>The untuned model takes {latency}{beside}.</source>
        <translation>Das ungetunte Modell braucht {latency}{beside}.</translation>
    </message>
    <message>
        <source>The untuned module answers wrongly (inputs: {draw}). {note}</source>
        <translation>Das ungetunte Modul antwortet falsch (Eingaben: {draw}). {note}</translation>
    </message>
    <message>
        <source>The untuned module answers wrongly.</source>
        <translation>Das ungetunte Modul antwortet falsch.</translation>
    </message>
    <message>
        <source>The untuned module answers wrongly: {output} is {ours}, {reference} has {theirs} (inputs: {draw}).</source>
        <translation>Das ungetunte Modul antwortet falsch: {output} ist {ours}, {reference} hat {theirs} (Eingaben: {draw}).</translation>
    </message>
    <message>
        <source>The whole program, end to end, in turns with all other ways</source>
        <translation>Das ganze Programm, im Wechsel mit allen anderen Wegen</translation>
    </message>
    <message>
        <source>The whole: {time}</source>
        <translation>Das Ganze: {time}</translation>
    </message>
    <message>
        <source>The worker that was asked for its device went away.</source>
        <translation>Der nach seinem Gerät gefragte Worker ist weg.</translation>
    </message>
    <message>
        <source>The workers that ran the whole model went away, twice.</source>
        <translation>Die Worker, die das ganze Modell ausführten, waren zweimal weg.</translation>
    </message>
    <message>
        <source>Theme: &amp;dark</source>
        <translation>Farben: &amp;dunkel</translation>
    </message>
    <message>
        <source>Theme: &amp;high contrast</source>
        <translation>Farben: hohe&amp;r Kontrast</translation>
    </message>
    <message>
        <source>Theme: &amp;light</source>
        <translation>Farben: &amp;hell</translation>
    </message>
    <message>
        <source>Theme: as the s&amp;ystem</source>
        <translation>Farben: wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>There</source>
        <translation>Dort</translation>
    </message>
    <message>
        <source>There are no details.</source>
        <translation>Es gibt keine Einzelheiten.</translation>
    </message>
    <message>
        <source>There are no donors to transfer from.</source>
        <translation>Es gibt keine Spender, von denen übertragen werden kann.</translation>
    </message>
    <message>
        <source>There are {names}.</source>
        <translation>Es gibt {names}.</translation>
    </message>
    <message>
        <source>There is neither a file nor a sample model &apos;{text}&apos;.</source>
        <translation>Es gibt weder eine Datei noch ein Beispielmodell &apos;{text}&apos;.</translation>
    </message>
    <message>
        <source>There is no CUDA device {index} on this machine.</source>
        <translation>Auf dieser Maschine gibt es kein CUDA-Gerät {index}.</translation>
    </message>
    <message>
        <source>There is no chain: the task has too few trials since its last jump, or no curve fits.</source>
        <translation>Es gibt keine Kette: Der Task hat seit seinem letzten Sprung zu wenige Versuche, oder keine Kurve passt.</translation>
    </message>
    <message>
        <source>There is no curve family {name!r}.</source>
        <translation>Es gibt keine Kurvenfamilie {name!r}.</translation>
    </message>
    <message>
        <source>There is no file {location}.</source>
        <translation>Es gibt keine Datei {location}.</translation>
    </message>
    <message>
        <source>There is no file {name} in that folder of {host}.</source>
        <translation>In diesem Ordner von {host} ist keine Datei {name}.</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>Es gibt keine Datei {path}.</translation>
    </message>
    <message>
        <source>There is no file {project}.</source>
        <translation>Es gibt keine Datei {project}.</translation>
    </message>
    <message>
        <source>There is no folder {parent}.</source>
        <translation>Es gibt keinen Ordner {parent}.</translation>
    </message>
    <message>
        <source>There is no metric &apos;{name}&apos;.</source>
        <translation>Es gibt kein Maß &apos;{name}&apos;.</translation>
    </message>
    <message>
        <source>There is no policy {name!r}.</source>
        <translation>Es gibt keine Strategie {name!r}.</translation>
    </message>
    <message>
        <source>There is no precision {value!r}.</source>
        <translation>Es gibt keine Genauigkeit {value!r}.</translation>
    </message>
    <message>
        <source>There is no python3 on {host}.</source>
        <translation>Auf {host} gibt es kein python3.</translation>
    </message>
    <message>
        <source>There is no run to resume.</source>
        <translation>Es gibt keinen Lauf, der weitergehen könnte.</translation>
    </message>
    <message>
        <source>There is no sample model &apos;{name}&apos;.</source>
        <translation>Es gibt kein Beispielmodell &apos;{name}&apos;.</translation>
    </message>
    <message>
        <source>There is no scheduling policy {name!r}.</source>
        <translation>Es gibt keine Reihenfolge {name!r}.</translation>
    </message>
    <message>
        <source>There is no step &apos;{kind}&apos;.</source>
        <translation>Es gibt keinen Schritt &apos;{kind}&apos;.</translation>
    </message>
    <message>
        <source>There is no step &apos;{name}&apos;.</source>
        <translation>Es gibt keinen Schritt &apos;{name}&apos;.</translation>
    </message>
    <message>
        <source>There is no task {task} in the clusters.</source>
        <translation>In den Clustern gibt es keinen Task {task}.</translation>
    </message>
    <message>
        <source>There is no trial {number}.</source>
        <translation>Es gibt keinen Versuch {number}.</translation>
    </message>
    <message>
        <source>There is nothing to tune in this model.</source>
        <translation>In diesem Modell gibt es nichts zu tunen.</translation>
    </message>
    <message>
        <source>These are no settings of a run.</source>
        <translation>Das sind keine Einstellungen eines Laufs.</translation>
    </message>
    <message>
        <source>These devices do not fit together.</source>
        <translation>Diese Geräte passen nicht zusammen.</translation>
    </message>
    <message>
        <source>They are the inputs&apos; names.</source>
        <translation>Es sind die Namen der Eingaben.</translation>
    </message>
    <message>
        <source>They are {names}.</source>
        <translation>Es sind {names}.</translation>
    </message>
    <message>
        <source>They replay what this project measured.</source>
        <translation>Sie spielen nach, was dieses Projekt gemessen hat.</translation>
    </message>
    <message>
        <source>They replay {file}.</source>
        <translation>Sie spielen {file} nach.</translation>
    </message>
    <message>
        <source>They stay apart.</source>
        <translation>Sie bleiben getrennt.</translation>
    </message>
    <message>
        <source>This belief is a formula and needs no sampler. The policy DynaTune (paper) draws curves: after a run of it the walkers of its sampler are here.</source>
        <translation>Diese Annahme ist eine Formel und braucht keinen Sampler. Die Strategie DynaTune (paper) zieht Kurven: Nach einem Lauf mit ihr sind hier die Walker ihres Samplers zu sehen.</translation>
    </message>
    <message>
        <source>This candidate was measured before.</source>
        <translation>Dieser Kandidat wurde schon gemessen.</translation>
    </message>
    <message>
        <source>This experiment has no cell.</source>
        <translation>Dieses Experiment hat keine Zelle.</translation>
    </message>
    <message>
        <source>This experiment is being run already.</source>
        <translation>Dieses Experiment läuft schon.</translation>
    </message>
    <message>
        <source>This is a replay of a recorded run ({where}); nothing is measured.</source>
        <translation>Dies ist die Wiedergabe eines aufgezeichneten Laufs ({where}); nichts wird gemessen.</translation>
    </message>
    <message>
        <source>This key is not known here.</source>
        <translation>Diese Taste ist hier unbekannt.</translation>
    </message>
    <message>
        <source>This machine has no ssh that runs ({reason}).</source>
        <translation>Diese Maschine hat kein ssh, das läuft ({reason}).</translation>
    </message>
    <message>
        <source>This program takes up no packages: use Tunewright from pip install {package}.</source>
        <translation>Dieses Programm nimmt keine Pakete auf: Tunewright aus pip install {package} nehmen.</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>Dieses Projekt</translation>
    </message>
    <message>
        <source>This project holds no nodes of its file: an older version made it, or the file is no ONNX model. An ONNX model&apos;s are there once a run was started and the project opened again.</source>
        <translation>Dieses Projekt enthält keine Knoten seiner Datei: Eine ältere Version hat es angelegt, oder die Datei ist kein ONNX-Modell. Bei einem ONNX-Modell sind sie da, wenn ein Lauf gestartet und das Projekt neu geöffnet wurde.</translation>
    </message>
    <message>
        <source>This step ends first. Ctrl+C again ends at once.</source>
        <translation>Erst endet dieser Schritt. Strg+C beendet sofort.</translation>
    </message>
    <message>
        <source>This window closes the project, so that the queue can write it. It can be opened again when its job has ended.</source>
        <translation>Dieses Fenster schließt das Projekt, damit die Warteschlange es schreiben kann. Es kann wieder geöffnet werden, wenn sein Job beendet ist.</translation>
    </message>
    <message>
        <source>This would connect to {places}, which a file names and nobody here has allowed.</source>
        <translation>Das würde eine Verbindung zu {places} öffnen, was eine Datei nennt und hier niemand erlaubt hat.</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Threshold of similarity</source>
        <translation>Schwelle der Ähnlichkeit</translation>
    </message>
    <message>
        <source>Tick the library, or add project files of other models.</source>
        <translation>Die Bibliothek ankreuzen oder Projektdateien anderer Modelle hinzufügen.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>Time of the search</source>
        <translation>Zeit der Suche</translation>
    </message>
    <message>
        <source>Time saved</source>
        <translation>Gesparte Zeit</translation>
    </message>
    <message>
        <source>Time to compile it</source>
        <translation>Zeit zum Kompilieren</translation>
    </message>
    <message>
        <source>Time to measure it</source>
        <translation>Zeit zum Messen</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Timeline of one inference</source>
        <translation>Ablauf einer Inferenz</translation>
    </message>
    <message>
        <source>Timeline of slots</source>
        <translation>Zeitverlauf der Slots</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>To scale: each stage, and each operator above. In a stage of several groups a bar has its operator&apos;s latency alone, scaled to fit the stage. Hatched: merged into one.</source>
        <translation>Maßstäblich: jede Stufe und jeder Operator darüber. In einer Stufe mit mehreren Gruppen zeigt ein Balken die Latenz seines Operators allein, auf die Stufe skaliert. Schraffiert: zu einem zusammengelegt.</translation>
    </message>
    <message>
        <source>To trial</source>
        <translation>Zu Vers.</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Traces of the walkers</source>
        <translation>Wege der Walker</translation>
    </message>
    <message>
        <source>Tracker</source>
        <translation>Tracker</translation>
    </message>
    <message>
        <source>Trans&amp;fer…</source>
        <translation>&amp;Transfer…</translation>
    </message>
    <message>
        <source>Transfer</source>
        <comment>step</comment>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfer</translation>
    </message>
    <message>
        <source>Transfer matrix</source>
        <translation>Transfer-Matrix</translation>
    </message>
    <message>
        <source>Transfer was never run: schedules of other models may be faster here.</source>
        <translation>Transfer lief noch nie: Schedules anderer Modelle könnten hier schneller sein.</translation>
    </message>
    <message>
        <source>Transfer…</source>
        <translation>Transfer…</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Trial #{number}</source>
        <translation>Versuch #{number}</translation>
    </message>
    <message>
        <source>Trial #{number} of {task} was measured again: {latency}.</source>
        <translation>Versuch #{number} von {task} wurde neu gemessen: {latency}.</translation>
    </message>
    <message>
        <source>Trial #{number}: {task} takes {latency}, its best so far.</source>
        <translation>Versuch #{number}: {task} braucht {latency}, bisher am besten.</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Trials before the cost model&apos;s word counts</source>
        <translation>Versuche, bevor das Kostenmodell mitredet</translation>
    </message>
    <message>
        <source>Trials each</source>
        <translation>Versuche für jeden</translation>
    </message>
    <message>
        <source>Trials of a task after which its model is trained</source>
        <translation>Versuche eines Tasks, nach denen sein Modell trainiert wird</translation>
    </message>
    <message>
        <source>Trials of the marked step</source>
        <translation>Versuche des markierten Schritts</translation>
    </message>
    <message>
        <source>Trials that failed</source>
        <translation>Gescheiterte Versuche</translation>
    </message>
    <message>
        <source>Trials {first} and {second}</source>
        <translation>Versuche {first} und {second}</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Versucht</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True oder False</translation>
    </message>
    <message>
        <source>Trust in other tasks</source>
        <translation>Vertrauen in andere</translation>
    </message>
    <message>
        <source>Trust in similar tasks</source>
        <translation>Vertrauen in ähnliche</translation>
    </message>
    <message>
        <source>Try a login by ssh in a terminal.</source>
        <translation>In einem Terminal eine Anmeldung mit ssh versuchen.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Gleich noch einmal versuchen.</translation>
    </message>
    <message>
        <source>Try again; where memory is short, close other programs first.</source>
        <translation>Noch einmal versuchen; ist der Speicher knapp, erst andere Programme schließen.</translation>
    </message>
    <message>
        <source>Try it again.</source>
        <translation>Noch einmal versuchen.</translation>
    </message>
    <message>
        <source>Try the best schedules of other models</source>
        <translation>Die besten Schedules anderer Modelle probieren</translation>
    </message>
    <message>
        <source>Try the starter library&apos;s schedules, and your library&apos;s, on each task first</source>
        <translation>Zuerst bei jedem Task die Schedules der Startbibliothek und der eigenen Bibliothek probieren</translation>
    </message>
    <message>
        <source>Trying donors</source>
        <translation>Spender ausprobieren</translation>
    </message>
    <message>
        <source>Trying members&apos; schedules</source>
        <translation>Schedules der Mitglieder ausprobieren</translation>
    </message>
    <message>
        <source>Tune a model whose untuned module answers wrongly; it cannot be exported</source>
        <translation>Ein Modell tunen, dessen ungetuntes Modul falsch antwortet; exportieren lässt es sich nicht</translation>
    </message>
    <message>
        <source>Tune a sample with hints at each step</source>
        <translation>Ein Beispiel tunen, mit Hinweisen bei jedem Schritt</translation>
    </message>
    <message>
        <source>Tune anyway</source>
        <translation>Trotzdem tunen</translation>
    </message>
    <message>
        <source>Tune dependants that stay far behind in the time that is left</source>
        <translation>In der Restzeit Abhängige tunen, die weit zurückbleiben</translation>
    </message>
    <message>
        <source>Tune for each in a project of its own.</source>
        <translation>Für jedes in einem eigenen Projekt tunen.</translation>
    </message>
    <message>
        <source>Tune it first.</source>
        <translation>Erst tunen.</translation>
    </message>
    <message>
        <source>Tune m&amp;erged operators…</source>
        <translation>&amp;Zusammengelegte Operatoren tunen…</translation>
    </message>
    <message>
        <source>Tune on one device.</source>
        <translation>Auf einem Gerät tunen.</translation>
    </message>
    <message>
        <source>Tune one task of each cluster, and give its schedules to the others</source>
        <translation>Einen Task jedes Clusters tunen und seine Schedules den anderen geben</translation>
    </message>
    <message>
        <source>Tune the model in several shapes, of which an export has the kernels of each.</source>
        <translation>Das Modell in mehreren Formen tunen; ein Export hat die Kernel jeder davon.</translation>
    </message>
    <message>
        <source>Tune the model itself for that.</source>
        <translation>Dafür das Modell selbst tunen.</translation>
    </message>
    <message>
        <source>Tune the model itself to choose.</source>
        <translation>Das Modell selbst tunen, um zu wählen.</translation>
    </message>
    <message>
        <source>Tune the model itself to export it.</source>
        <translation>Das Modell selbst tunen, um es zu exportieren.</translation>
    </message>
    <message>
        <source>Tune the model itself to find stages.</source>
        <translation>Das Modell selbst tunen, um Stufen zu suchen.</translation>
    </message>
    <message>
        <source>Tune the model itself to have a project.</source>
        <translation>Das Modell selbst tunen, um ein Projekt zu haben.</translation>
    </message>
    <message>
        <source>Tune the model itself to have one.</source>
        <translation>Das Modell selbst tunen, um eines zu haben.</translation>
    </message>
    <message>
        <source>Tune the model itself to launch a pass.</source>
        <translation>Das Modell selbst tunen, um einen Durchgang zu starten.</translation>
    </message>
    <message>
        <source>Tune the model itself to measure it.</source>
        <translation>Das Modell selbst tunen, um es zu messen.</translation>
    </message>
    <message>
        <source>Tune the model itself to see them.</source>
        <translation>Das Modell selbst tunen, um sie zu sehen.</translation>
    </message>
    <message>
        <source>Tune the model itself to share.</source>
        <translation>Das Modell selbst tunen, um zu teilen.</translation>
    </message>
    <message>
        <source>Tune the representatives and share their schedules</source>
        <translation>Die Vertreter tunen und ihre Schedules teilen</translation>
    </message>
    <message>
        <source>Tune this task for itself alone</source>
        <translation>Diesen Task nur für sich tunen</translation>
    </message>
    <message>
        <source>Tune this task, and give the others of its cluster its schedules</source>
        <translation>Diesen Task tunen und den anderen im Cluster seine Schedules geben</translation>
    </message>
    <message>
        <source>Tune weak ones</source>
        <translation>Schwache tunen</translation>
    </message>
    <message>
        <source>Tune what several operators would be as one, for stages</source>
        <translation>Tunen, was mehrere Operatoren als einer wären, für Stufen</translation>
    </message>
    <message>
        <source>Tuned</source>
        <translation>Getunt</translation>
    </message>
    <message>
        <source>Tuned, with earlier schedules:</source>
        <translation>Getunt, mit früheren Schedules:</translation>
    </message>
    <message>
        <source>Tuned:</source>
        <translation>Getunt:</translation>
    </message>
    <message>
        <source>Tunes one task of each cluster, and measures its best schedules on the others.</source>
        <translation>Tunt einen Task jedes Clusters und misst seine besten Schedules an den anderen.</translation>
    </message>
    <message>
        <source>Tunes operators that stand for several of one input, which a schedule of stages may use.</source>
        <translation>Tunt Operatoren, die für mehrere mit einer Eingabe stehen und die ein Stufenplan verwenden kann.</translation>
    </message>
    <message>
        <source>Tunewright cannot read the operator {target}{where}: {why}.</source>
        <translation>Tunewright kann den Operator {target}{where} nicht lesen: {why}.</translation>
    </message>
    <message>
        <source>Tunewright keeps its own files in {place}, where nothing can be written ({reason}).</source>
        <translation>Tunewright hat seine eigenen Dateien in {place}, wo nichts geschrieben werden kann ({reason}).</translation>
    </message>
    <message>
        <source>Tunewright met an error of its own ({kind}).</source>
        <translation>Tunewright ist auf einen eigenen Fehler gestoßen ({kind}).</translation>
    </message>
    <message>
        <source>Tunewright projects</source>
        <translation>Tunewright-Projekte</translation>
    </message>
    <message>
        <source>Tunewright projects (*.tune)</source>
        <translation>Tunewright-Projekte (*.tune)</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>Tuning</translation>
    </message>
    <message>
        <source>Tuning still runs. Every result so far is kept either way.</source>
        <translation>Das Tuning läuft noch. Jedes bisherige Ergebnis bleibt in jedem Fall erhalten.</translation>
    </message>
    <message>
        <source>Tuning time in all</source>
        <translation>Tuning-Zeit insgesamt</translation>
    </message>
    <message>
        <source>Tuning time of all its slots</source>
        <translation>Tuning-Zeit all seiner Slots</translation>
    </message>
    <message>
        <source>Tuning time saved against the slowest that reached the threshold</source>
        <translation>Gesparte Tuning-Zeit gegenüber dem langsamsten, der die Schwelle erreichte</translation>
    </message>
    <message>
        <source>Tuning time until it was at the threshold</source>
        <translation>Tuning-Zeit, bis die Schwelle erreicht war</translation>
    </message>
    <message>
        <source>Tuning time when the result came</source>
        <translation>Tuning-Zeit, als das Ergebnis kam</translation>
    </message>
    <message>
        <source>Turning to the shape {about}</source>
        <translation>Weiter mit der Form {about}</translation>
    </message>
    <message>
        <source>Two trials can be compared.</source>
        <translation>Zwei Versuche können verglichen werden.</translation>
    </message>
    <message>
        <source>Type a command, a task, a view or a recent file</source>
        <translation>Befehl, Task, Ansicht oder letzte Datei eingeben</translation>
    </message>
    <message>
        <source>Type the number of a trial</source>
        <translation>Die Nummer eines Versuchs eingeben</translation>
    </message>
    <message>
        <source>Undo edits</source>
        <translation>Änderungen zurück</translation>
    </message>
    <message>
        <source>Until the model is as fast as {reference} was</source>
        <translation>Bis das Modell so schnell ist, wie {reference} es war</translation>
    </message>
    <message>
        <source>Untuned</source>
        <translation>Ungetunt</translation>
    </message>
    <message>
        <source>Untuned latency / best latency</source>
        <translation>Latenz ungetunt / beste Latenz</translation>
    </message>
    <message>
        <source>Untuned latency / latency here</source>
        <translation>Latenz ungetunt / Latenz hier</translation>
    </message>
    <message>
        <source>Untuned latency / latency now</source>
        <translation>Latenz ungetunt / Latenz jetzt</translation>
    </message>
    <message>
        <source>Untuned latency / latency now.</source>
        <translation>Latenz ungetunt / Latenz jetzt.</translation>
    </message>
    <message>
        <source>Untuned:</source>
        <translation>Ungetunt:</translation>
    </message>
    <message>
        <source>Update Tunewright to open it.</source>
        <translation>Tunewright aktualisieren, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>Update Tunewright to use it.</source>
        <translation>Tunewright aktualisieren, um sie zu benutzen.</translation>
    </message>
    <message>
        <source>Use a folder on a drive of this machine, or mount that one with locks.</source>
        <translation>Einen Ordner auf einem Laufwerk dieser Maschine nehmen oder jenes mit Sperren einhängen.</translation>
    </message>
    <message>
        <source>Use certificates and a tls:// or dask+tls:// address, or join the machines with ssh and name 127.0.0.1.</source>
        <translation>Zertifikate und eine Adresse mit tls:// oder dask+tls:// nehmen, oder die Maschinen mit ssh verbinden und 127.0.0.1 nennen.</translation>
    </message>
    <message>
        <source>Use it for “{command}”</source>
        <translation>Für „{command}“ verwenden</translation>
    </message>
    <message>
        <source>Use these settings when Start is pressed</source>
        <translation>Diese Einstellungen verwenden, wenn Start gedrückt wird</translation>
    </message>
    <message>
        <source>Use {have} or cuda.</source>
        <translation>{have} oder cuda nehmen.</translation>
    </message>
    <message>
        <source>Value of {name}</source>
        <translation>Wert von {name}</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Version of the wheel</source>
        <translation>Version des Wheels</translation>
    </message>
    <message>
        <source>Vertical axis: factors, so that late gains show too (R)</source>
        <translation>Senkrechte Achse: Faktoren, damit auch späte Gewinne zu sehen sind (R)</translation>
    </message>
    <message>
        <source>Vertical axis: seconds taken off the latency (R)</source>
        <translation>Senkrechte Achse: Sekunden, um die die Latenz sank (R)</translation>
    </message>
    <message>
        <source>Wait a moment and try again.</source>
        <translation>Einen Augenblick warten und noch einmal versuchen.</translation>
    </message>
    <message>
        <source>Wait a moment, or stop it.</source>
        <translation>Einen Moment warten oder anhalten.</translation>
    </message>
    <message>
        <source>Wait for it, or stop it there.</source>
        <translation>Darauf warten oder dort anhalten.</translation>
    </message>
    <message>
        <source>Wait until the budget is spent, or press Stop when the curve is flat enough for you.</source>
        <translation>Warten, bis das Budget verbraucht ist, oder Beenden drücken, wenn die Kurve flach genug ist.</translation>
    </message>
    <message>
        <source>Waiting for {about}, which is being tuned on this device</source>
        <translation>Warten, bis das Gerät frei ist; dort tunt {about}</translation>
    </message>
    <message>
        <source>Waits for its device. {what}</source>
        <translation>Wartet auf sein Gerät. {what}</translation>
    </message>
    <message>
        <source>Walkers</source>
        <translation>Walker</translation>
    </message>
    <message>
        <source>Walkers and acceptance behind the selected task&apos;s belief</source>
        <translation>Walker und Akzeptanz hinter der Annahme des ausgewählten Tasks</translation>
    </message>
    <message>
        <source>Warm-up calls</source>
        <translation>Aufwärmaufrufe</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Watc&amp;h a run on another machine…</source>
        <translation>Lauf auf anderem Rechner &amp;ansehen…</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Watch a run</source>
        <translation>Lauf ansehen</translation>
    </message>
    <message>
        <source>Watch the curve</source>
        <translation>Die Kurve beobachten</translation>
    </message>
    <message>
        <source>Watching {host}, read-only: {moment}</source>
        <translation>Blick auf {host}, nur lesend: {moment}</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>Weg</translation>
    </message>
    <message>
        <source>Ways</source>
        <translation>Wege</translation>
    </message>
    <message>
        <source>Ways to schedule</source>
        <translation>Wege der Planung</translation>
    </message>
    <message>
        <source>Weak dependant</source>
        <translation>Schwacher Abhängiger</translation>
    </message>
    <message>
        <source>Weak dependants</source>
        <translation>Schwache Abhängige</translation>
    </message>
    <message>
        <source>Weigh a slot&apos;s gain by the seconds that slots of the task take</source>
        <translation>Den Gewinn eines Slots mit den Sekunden gewichten, die Slots des Tasks dauern</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Weight of the past</source>
        <translation>Gewicht des Vergangenen</translation>
    </message>
    <message>
        <source>What Droplet found</source>
        <translation>Was Droplet gefunden hat</translation>
    </message>
    <message>
        <source>What a person asked of the next run; the row&apos;s menu changes it</source>
        <translation>Was für den nächsten Lauf gewünscht ist; das Menü der Zeile ändert es</translation>
    </message>
    <message>
        <source>What a replay keeps</source>
        <translation>Was nachspielbar ist</translation>
    </message>
    <message>
        <source>What an export runs</source>
        <translation>Was ein Export ausführt</translation>
    </message>
    <message>
        <source>What being unsure adds: the task may turn out better</source>
        <translation>Was die Unsicherheit beiträgt: Der Task kann sich als besser erweisen</translation>
    </message>
    <message>
        <source>What can I do here?</source>
        <translation>Was kann ich hier tun?</translation>
    </message>
    <message>
        <source>What colours tell</source>
        <translation>Was die Farben sagen</translation>
    </message>
    <message>
        <source>What decides which task gets the next slot</source>
        <translation>Was entscheidet, welcher Task den nächsten Slot bekommt</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>What differs between the two rows that are marked in the trials</source>
        <translation>Worin sich die zwei in den Versuchen markierten Zeilen unterscheiden</translation>
    </message>
    <message>
        <source>What ends the run</source>
        <translation>Was den Lauf beendet</translation>
    </message>
    <message>
        <source>What finished runs added to it, and `tunewright library add`</source>
        <translation>Was fertige Läufe und `tunewright library add` hinzugefügt haben</translation>
    </message>
    <message>
        <source>What is blocked holds back all behind it</source>
        <translation>Was blockiert ist, hält alles dahinter auf</translation>
    </message>
    <message>
        <source>What is known of both</source>
        <translation>Was von beiden bekannt ist</translation>
    </message>
    <message>
        <source>What is new must also be so much of what the model has learnt</source>
        <translation>Das Neue muss auch so viel von dem sein, was das Modell gelernt hat</translation>
    </message>
    <message>
        <source>What is selected</source>
        <translation>Was ausgewählt ist</translation>
    </message>
    <message>
        <source>What it is compared with is disturbed: half of its samples lie more than {spread} from it.</source>
        <translation>Der Vergleichswert ist gestört: Die Hälfte der Messwerte liegt um mehr als {spread} daneben.</translation>
    </message>
    <message>
        <source>What it is compared with is disturbed: other programs had {load} of the cores that it needs.</source>
        <translation>Der Vergleichswert ist gestört: Andere Programme hatten {load} der Kerne, die er braucht.</translation>
    </message>
    <message>
        <source>What it is compared with is disturbed: the board was hot and held its cores back.</source>
        <translation>Die Vergleichslatenz ist gestört: Das Board war heiß und drosselte seine Kerne.</translation>
    </message>
    <message>
        <source>What it takes in one inference with the schedules of now</source>
        <translation>Was sie in einer Inferenz mit den jetzigen Schedules braucht</translation>
    </message>
    <message>
        <source>What it took before any tuning</source>
        <translation>Was sie vor jedem Tuning brauchte</translation>
    </message>
    <message>
        <source>What it took off the model&apos;s latency, all its improvements</source>
        <translation>Um was sie die Latenz des Modells senkte, mit allen Verbesserungen</translation>
    </message>
    <message>
        <source>What its slots brought less than the best slots would have, over the reduction that was possible</source>
        <translation>Was die Slots weniger brachten als die besten Slots, durch die mögliche Verringerung</translation>
    </message>
    <message>
        <source>What its slots took off the model&apos;s latency so far</source>
        <translation>Was seine Slots der Latenz des Modells bisher nahmen</translation>
    </message>
    <message>
        <source>What matches</source>
        <translation>Was passt</translation>
    </message>
    <message>
        <source>What one more slot is expected to take off the model&apos;s latency</source>
        <translation>Was ein weiterer Slot der Latenz des Modells voraussichtlich nimmt</translation>
    </message>
    <message>
        <source>What proposed it</source>
        <translation>Was ihn vorschlug</translation>
    </message>
    <message>
        <source>What proposed the candidates</source>
        <translation>Was die Kandidaten vorschlug</translation>
    </message>
    <message>
        <source>What proposed the schedule that the run left</source>
        <translation>Was den Schedule vorschlug, den der Lauf hinterließ</translation>
    </message>
    <message>
        <source>What schedules choose</source>
        <translation>Was Schedules wählen</translation>
    </message>
    <message>
        <source>What the clusters add up to</source>
        <translation>Was die Cluster zusammen ergeben</translation>
    </message>
    <message>
        <source>What the colour of a node tells</source>
        <translation>Was die Farbe eines Knotens sagt</translation>
    </message>
    <message>
        <source>What the convolutions and matrix products of a model are computed in</source>
        <translation>Worin die Faltungen und Matrixprodukte eines Modells gerechnet werden</translation>
    </message>
    <message>
        <source>What the device is has to be said as a target of TVM&apos;s.</source>
        <translation>Was für ein Gerät es ist, muss als Target von TVM gesagt werden.</translation>
    </message>
    <message>
        <source>What the job does now</source>
        <translation>Was der Job jetzt tut</translation>
    </message>
    <message>
        <source>What the job waits for, or how it ended</source>
        <translation>Worauf der Job wartet, oder wie er endete</translation>
    </message>
    <message>
        <source>What the knobs explain</source>
        <translation>Was die Regler erklären</translation>
    </message>
    <message>
        <source>What the model is tuned for</source>
        <translation>Wofür das Modell getunt wird</translation>
    </message>
    <message>
        <source>What the model would gain if it were as fast</source>
        <translation>Was das Modell gewänne, wenn er so schnell wäre</translation>
    </message>
    <message>
        <source>What the queue&apos;s file says of this job cannot be read ({error}). Remove it.</source>
        <translation>Was die Datei der Warteschlange von diesem Job sagt, lässt sich nicht lesen ({error}). Ihn entfernen.</translation>
    </message>
    <message>
        <source>What the rule expects a slot to take off; the largest gets it</source>
        <translation>Was ein Slot nach der Regel voraussichtlich bringt; der größte Wert bekommt ihn</translation>
    </message>
    <message>
        <source>What the search found</source>
        <translation>Was die Suche fand</translation>
    </message>
    <message>
        <source>What the selected task is expected to do next (B)</source>
        <translation>Was vom ausgewählten Task als Nächstes erwartet wird (B)</translation>
    </message>
    <message>
        <source>What the selected task is expected to do next, over its curve</source>
        <translation>Was vom ausgewählten Task als Nächstes erwartet wird, über seiner Kurve</translation>
    </message>
    <message>
        <source>What the slots took: {parts}</source>
        <translation>Was die Slots brauchten: {parts}</translation>
    </message>
    <message>
        <source>What the task is doing, or which pass its best schedule is from</source>
        <translation>Was der Task tut, oder von welchem Durchgang sein bester Schedule ist</translation>
    </message>
    <message>
        <source>What the tensors between operators take at most</source>
        <translation>Was die Tensoren zwischen den Operatoren höchstens belegen</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>Wonach gesucht wird</translation>
    </message>
    <message>
        <source>What to try next</source>
        <translation>Was als Nächstes zu versuchen ist</translation>
    </message>
    <message>
        <source>What transfer gave</source>
        <translation>Was Transfer brachte</translation>
    </message>
    <message>
        <source>What was measured is kept: search again to go on.</source>
        <translation>Was gemessen wurde, bleibt erhalten: Noch einmal suchen, um weiterzumachen.</translation>
    </message>
    <message>
        <source>What you call the project, and what you want to remember of it</source>
        <translation>Wie das Projekt heißen soll und was davon zu merken ist</translation>
    </message>
    <message>
        <source>What you call the selected task, and what you want to remember of it</source>
        <translation>Wie der ausgewählte Task heißen soll und was davon zu merken ist</translation>
    </message>
    <message>
        <source>What {key} is cannot be found out from here.</source>
        <translation>Was {key} ist, lässt sich von hier nicht herausfinden.</translation>
    </message>
    <message>
        <source>When an operator really starts within its stage is not measured. The wheel zooms, a drag moves, 0 or a double click shows all; a click selects operators, on a latency the whole stage.</source>
        <translation>Wann ein Operator in seiner Stufe wirklich beginnt, wird nicht gemessen. Das Mausrad zoomt, Ziehen verschiebt, 0 oder ein Doppelklick zeigt alles; ein Klick wählt Operatoren aus, auf einer Latenz die ganze Stufe.</translation>
    </message>
    <message>
        <source>When the run ends by itself</source>
        <translation>Wann der Lauf von selbst endet</translation>
    </message>
    <message>
        <source>Where and how it failed</source>
        <translation>Wo und wie er scheiterte</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>Wohin die Zeit geht</translation>
    </message>
    <message>
        <source>Whether Droplet went there</source>
        <translation>Ob Droplet dorthin ging</translation>
    </message>
    <message>
        <source>Whether the task is compiled with it</source>
        <translation>Ob der Task damit kompiliert wird</translation>
    </message>
    <message>
        <source>Whether the task may get a slot, and if not why</source>
        <translation>Ob der Task einen Slot bekommen kann, und wenn nicht, warum</translation>
    </message>
    <message>
        <source>Which device shall the model be tuned for?</source>
        <translation>Für welches Gerät soll das Modell getunt werden?</translation>
    </message>
    <message>
        <source>Which outcome to show</source>
        <translation>Welcher Ausgang gezeigt wird</translation>
    </message>
    <message>
        <source>Which project on which machine?</source>
        <translation>Welches Projekt auf welchem Rechner?</translation>
    </message>
    <message>
        <source>Which shapes shall {model} have?</source>
        <translation>Welche Formen soll {model} haben?</translation>
    </message>
    <message>
        <source>Which source to show</source>
        <translation>Welche Quelle gezeigt wird</translation>
    </message>
    <message>
        <source>Who the schedules were tried on</source>
        <translation>Woran die Schedules versucht wurden</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>Ganzes</translation>
    </message>
    <message>
        <source>Whose code it is</source>
        <translation>Wessen Code es ist</translation>
    </message>
    <message>
        <source>Why this task</source>
        <translation>Warum dieser Task</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Wish</source>
        <translation>Wunsch</translation>
    </message>
    <message>
        <source>With how many slots of its own a task&apos;s curve counts as much as the experience of all slots so far; 0: only its own counts</source>
        <translation>Mit wie vielen eigenen Slots die Kurve eines Tasks so viel zählt wie die Erfahrung aller Slots bisher; 0: nur die eigene zählt</translation>
    </message>
    <message>
        <source>Within the model they are faster by {time}.</source>
        <translation>Im Modell sind sie um {time} schneller.</translation>
    </message>
    <message>
        <source>Without a reference nobody can say whether the tuned module answers rightly.</source>
        <translation>Ohne Referenz kann niemand sagen, ob das getunte Modul richtig antwortet.</translation>
    </message>
    <message>
        <source>Words in the task&apos;s name, in the error or in the source</source>
        <translation>Wörter im Namen des Tasks, im Fehler oder in der Quelle</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>Would gain</source>
        <translation>Brächte</translation>
    </message>
    <message>
        <source>Write HOST:PORT.</source>
        <translation>HOST:PORT schreiben.</translation>
    </message>
    <message>
        <source>Write a wheel, too, which pip installs</source>
        <translation>Auch ein Wheel schreiben, das pip installiert</translation>
    </message>
    <message>
        <source>Write auto, cpu or cuda.</source>
        <translation>auto, cpu oder cuda schreiben.</translation>
    </message>
    <message>
        <source>Write auto, cpu, cuda, a TVM tag, or JSON such as {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;x86-64-v3&quot;}.</source>
        <translation>auto, cpu, cuda, eine Marke von TVM oder JSON schreiben wie {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;x86-64-v3&quot;}.</translation>
    </message>
    <message>
        <source>Write cpu for this machine&apos;s own.</source>
        <translation>cpu schreiben für die dieser Maschine.</translation>
    </message>
    <message>
        <source>Write cuda or cuda:0.</source>
        <translation>cuda oder cuda:0 schreiben.</translation>
    </message>
    <message>
        <source>Write dask://HOST:PORT, or dask+tls://HOST:PORT where certificates are used.</source>
        <translation>dask://HOST:PORT schreiben, oder dask+tls://HOST:PORT mit Zertifikaten.</translation>
    </message>
    <message>
        <source>Write it as 1250.</source>
        <translation>Schreiben Sie sie als 1250.</translation>
    </message>
    <message>
        <source>Write it as 62.5, 1250 or 1,250.5.</source>
        <translation>Schreiben Sie sie als 62.5, 1250 oder 1,250.5.</translation>
    </message>
    <message>
        <source>Write it as JSON, such as {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;x86-64-v3&quot;, &quot;num-cores&quot;: 4}.</source>
        <translation>Als JSON schreiben, etwa {&quot;kind&quot;: &quot;llvm&quot;, &quot;mcpu&quot;: &quot;x86-64-v3&quot;, &quot;num-cores&quot;: 4}.</translation>
    </message>
    <message>
        <source>Write it as text.</source>
        <translation>Als Text schreiben.</translation>
    </message>
    <message>
        <source>Write it like NAME=1x128; several sizes go into braces, with commas.</source>
        <translation>So schreiben: NAME=1x128; mehrere Größen kommen mit Kommas in geschweifte Klammern.</translation>
    </message>
    <message>
        <source>Write it like NAME=1x3x224x224.</source>
        <translation>Schreiben wie NAME=1x3x224x224.</translation>
    </message>
    <message>
        <source>Write it like sr=16000.</source>
        <translation>Schreiben wie sr=16000.</translation>
    </message>
    <message>
        <source>Write it like {key}: [a, b].</source>
        <translation>Schreiben wie {key}: [a, b].</translation>
    </message>
    <message>
        <source>Write it like {kind}:500.</source>
        <translation>Schreiben wie {kind}:500.</translation>
    </message>
    <message>
        <source>Write its name, or {kind}: NAME.</source>
        <translation>Schreiben Sie ihren Namen oder {kind}: NAME.</translation>
    </message>
    <message>
        <source>Write one HTML file with curves, tasks, passes, stages and settings</source>
        <translation>Eine HTML-Datei mit Kurven, Tasks, Durchgängen, Stufen und Einstellungen schreiben</translation>
    </message>
    <message>
        <source>Write one like 1.0 or 1.2.3.</source>
        <translation>Eine schreiben wie 1.0 oder 1.2.3.</translation>
    </message>
    <message>
        <source>Write one of these.</source>
        <translation>Schreiben Sie eine davon.</translation>
    </message>
    <message>
        <source>Write only that.</source>
        <translation>Nur das schreiben.</translation>
    </message>
    <message>
        <source>Write plain values.</source>
        <translation>Einfache Werte schreiben.</translation>
    </message>
    <message>
        <source>Write rpc://HOST:PORT/KEY, of its tracker.</source>
        <translation>rpc://HOST:PORT/KEY schreiben, von seinem Tracker.</translation>
    </message>
    <message>
        <source>Write ssh://USER@HOST/FOLDER/FILE.tune, or ssh://USER@HOST/~/FILE.tune.</source>
        <translation>Schreiben Sie ssh://KONTO@RECHNER/ORDNER/DATEI.tune oder ssh://KONTO@RECHNER/~/DATEI.tune.</translation>
    </message>
    <message>
        <source>Write tcp://HOST:PORT, or tls://HOST:PORT where certificates are used.</source>
        <translation>tcp://HOST:PORT schreiben, oder tls://HOST:PORT mit Zertifikaten.</translation>
    </message>
    <message>
        <source>Write the number alone.</source>
        <translation>Schreiben Sie die Zahl allein.</translation>
    </message>
    <message>
        <source>Write the number in {unit}.</source>
        <translation>Schreiben Sie die Zahl in {unit}.</translation>
    </message>
    <message>
        <source>Write the tuned module, checked and measured, into a folder</source>
        <translation>Das getunte Modul, geprüft und gemessen, in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Write the values out.</source>
        <translation>Die Werte ausschreiben.</translation>
    </message>
    <message>
        <source>Write {example}.</source>
        <translation>Schreiben Sie {example}.</translation>
    </message>
    <message>
        <source>Write {seconds: 600}.</source>
        <translation>{seconds: 600} schreiben.</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>Eigener Name</translation>
    </message>
    <message>
        <source>Your name for it</source>
        <translation>Eigener Name</translation>
    </message>
    <message>
        <source>Your name for the task, and how its note begins</source>
        <translation>Eigener Name des Tasks und der Anfang seiner Notiz</translation>
    </message>
    <message>
        <source>Your name for {what}</source>
        <translation>Eigener Name für {what}</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Eigene Notiz</translation>
    </message>
    <message>
        <source>Your note for {what}</source>
        <translation>Eigene Notiz zu {what}</translation>
    </message>
    <message>
        <source>Your own models open in the same way. F1 opens the help at the part of the window that has the keyboard.</source>
        <translation>Eigene Modelle öffnen sich genauso. F1 öffnet die Hilfe zu dem Teil des Fensters, der den Fokus hat.</translation>
    </message>
    <message>
        <source>a few per cent on tasks that were searched; never less than before</source>
        <translation>einige Prozent bei Tasks, die durchsucht wurden; nie weniger als zuvor</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>eine endliche Zahl</translation>
    </message>
    <message>
        <source>a key must be a word.</source>
        <translation>ein Schlüssel muss ein Wort sein.</translation>
    </message>
    <message>
        <source>a latency of {time}</source>
        <translation>eine Latenz von {time}</translation>
    </message>
    <message>
        <source>a list of {values}</source>
        <translation>eine Liste aus {values}</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>a part of what a search would bring, within minutes; published: 49 % of it on average</source>
        <translation>ein Teil von dem, was eine Suche brächte, in Minuten; veröffentlicht: im Mittel 49 % davon</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>ein Pfad</translation>
    </message>
    <message>
        <source>a second of sound at 16 kHz</source>
        <translation>eine Sekunde Ton mit 16 kHz</translation>
    </message>
    <message>
        <source>a smaller number</source>
        <translation>eine kleinere Zahl</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a window</source>
        <translation>einem Fenster</translation>
    </message>
    <message>
        <source>a {kind}</source>
        <translation>{kind}</translation>
    </message>
    <message>
        <source>about {count}</source>
        <translation>etwa {count}</translation>
    </message>
    <message>
        <source>about {time}, unless the budget ends it earlier</source>
        <translation>etwa {time}, wenn das Budget nicht früher endet</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>all {count} candidates failed, mostly with a {kind}</source>
        <translation>alle {count} Kandidaten sind gescheitert, meist: {kind}</translation>
    </message>
    <message>
        <source>anchors and aliases are not read.</source>
        <translation>Anker und Verweise werden nicht gelesen.</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
    <message>
        <source>another shape of the same memory: no work</source>
        <translation>andere Form desselben Speichers: keine Arbeit</translation>
    </message>
    <message>
        <source>another value</source>
        <translation>ein anderer Wert</translation>
    </message>
    <message>
        <source>area: share of latency</source>
        <translation>Fläche: Anteil der Latenz</translation>
    </message>
    <message>
        <source>around 1000</source>
        <translation>um 1000</translation>
    </message>
    <message>
        <source>as it was</source>
        <translation>wie vorher</translation>
    </message>
    <message>
        <source>as last time</source>
        <translation>wie letztes Mal</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>wie üblich</translation>
    </message>
    <message numerus="yes">
        <source>at least %n slots</source>
        <translation>
            <numerusform>mindestens %n Slot</numerusform>
            <numerusform>mindestens %n Slots</numerusform>
        </translation>
    </message>
    <message>
        <source>at most {count}</source>
        <translation>höchstens {count}</translation>
    </message>
    <message>
        <source>at most {count} operators a group, {groups} a stage</source>
        <translation>höchstens {count} Operatoren je Gruppe, {groups} je Stufe</translation>
    </message>
    <message>
        <source>at most {count} without limits</source>
        <translation>höchstens {count} ohne Grenzen</translation>
    </message>
    <message>
        <source>at the launch&apos;s floor</source>
        <translation>so kurz, wie ein Kernelstart dauert</translation>
    </message>
    <message>
        <source>auto finds the GPU or else the CPU; any TVM target is accepted</source>
        <translation>auto findet die GPU oder sonst die CPU; jedes Target von TVM geht</translation>
    </message>
    <message>
        <source>auto finds the GPU or else the CPU; any TVM target is accepted. A remote device: rpc://HOST:PORT/KEY and its target, or dask://HOST:PORT</source>
        <translation>auto findet die GPU oder sonst die CPU; jedes Target von TVM geht. Ein entferntes Gerät: rpc://HOST:PORT/KEY und sein Target, oder dask://HOST:PORT</translation>
    </message>
    <message>
        <source>axis {axis}</source>
        <translation>Achse {axis}</translation>
    </message>
    <message>
        <source>became</source>
        <translation>wurde zu</translation>
    </message>
    <message>
        <source>best trial</source>
        <translation>bester Versuch</translation>
    </message>
    <message>
        <source>best {time} ({ratio})</source>
        <translation>bester {time} ({ratio})</translation>
    </message>
    <message>
        <source>block {number} of {count}</source>
        <translation>Block {number} von {count}</translation>
    </message>
    <message>
        <source>budget {budget}</source>
        <translation>Budget {budget}</translation>
    </message>
    <message>
        <source>build</source>
        <translation>Build</translation>
    </message>
    <message>
        <source>build crash</source>
        <translation>Build-Absturz</translation>
    </message>
    <message>
        <source>build error</source>
        <translation>Build-Fehler</translation>
    </message>
    <message>
        <source>build timeout</source>
        <translation>Build-Zeitüberschreitung</translation>
    </message>
    <message>
        <source>build {time} ({share})</source>
        <translation>Build {time} ({share})</translation>
    </message>
    <message>
        <source>building</source>
        <translation>baut</translation>
    </message>
    <message>
        <source>by its kernels the latency objective is met; the measurement is disturbed</source>
        <translation>nach seinen Kernels ist das Latenzziel erreicht; die Messung ist gestört</translation>
    </message>
    <message>
        <source>by lot, one of {count} tasks</source>
        <translation>ausgelost, einer von {count} Tasks</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>candidate of {task}</source>
        <translation>Kandidat von {task}</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>cluster {number}</source>
        <translation>Cluster {number}</translation>
    </message>
    <message>
        <source>clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>clusters by {metric}</source>
        <translation>Cluster nach {metric}</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>convergence</source>
        <translation>Konvergenz</translation>
    </message>
    <message>
        <source>copies text</source>
        <translation>kopiert Text</translation>
    </message>
    <message>
        <source>could not be followed to an operator</source>
        <translation>konnte zu keinem Operator verfolgt werden</translation>
    </message>
    <message>
        <source>cuts text</source>
        <translation>schneidet Text aus</translation>
    </message>
    <message>
        <source>dependant: takes its schedules</source>
        <translation>Abhängiger: nimmt dessen Schedules</translation>
    </message>
    <message>
        <source>device lost</source>
        <translation>Gerät verloren</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>gestört</translation>
    </message>
    <message>
        <source>donors of its class from {models}</source>
        <translation>Spender seiner Klasse aus {models}</translation>
    </message>
    <message>
        <source>droplet</source>
        <translation>Droplet</translation>
    </message>
    <message>
        <source>empty mask</source>
        <translation>leere Maske</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>im Ganzen</translation>
    </message>
    <message>
        <source>equal extents</source>
        <translation>gleiche Ausdehnungen</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>every schedule was tried</source>
        <translation>alle Schedules sind versucht</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>extents {ratio:.2f}x apart</source>
        <translation>Ausdehnungen um {ratio:.2f}x verschieden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>faster than untuned</source>
        <translation>schneller als ungetunt</translation>
    </message>
    <message>
        <source>finding of design spaces</source>
        <translation>Ermitteln der Suchräume</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message numerus="yes">
        <source>finished: %n trials without improvement</source>
        <translation>
            <numerusform>fertig: %n Versuch ohne Verbesserung</numerusform>
            <numerusform>fertig: %n Versuche ohne Verbesserung</numerusform>
        </translation>
    </message>
    <message>
        <source>first and last index</source>
        <translation>erster und letzter Index</translation>
    </message>
    <message>
        <source>float32 on tensor cores, which leave 10 of its 23 bits after the point: faster, with a larger difference.</source>
        <translation>float32 auf Tensorkernen, die von 23 Bits hinter dem Komma 10 übrig lassen: schneller, mit größerer Abweichung.</translation>
    </message>
    <message>
        <source>folded into a constant</source>
        <translation>zu einer Konstante gefaltet</translation>
    </message>
    <message>
        <source>for {time} so far</source>
        <translation>bisher {time}</translation>
    </message>
    <message>
        <source>from</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>from the file</source>
        <translation>aus der Datei</translation>
    </message>
    <message>
        <source>from {name}</source>
        <translation>von {name}</translation>
    </message>
    <message>
        <source>full mask</source>
        <translation>volle Maske</translation>
    </message>
    <message>
        <source>gained</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <source>gained nothing</source>
        <translation>nichts gewonnen</translation>
    </message>
    <message>
        <source>gained {time}</source>
        <translation>{time} gewonnen</translation>
    </message>
    <message>
        <source>given by its mattr</source>
        <translation>aus seinem mattr</translation>
    </message>
    <message>
        <source>going on</source>
        <translation>läuft noch</translation>
    </message>
    <message>
        <source>half of its samples lie more than {spread} from it</source>
        <translation>die Hälfte ihrer Proben liegt mehr als {spread} daneben</translation>
    </message>
    <message>
        <source>has a slot</source>
        <translation>hat einen Slot</translation>
    </message>
    <message>
        <source>idle for {time}</source>
        <translation>{time} untätig</translation>
    </message>
    <message>
        <source>idle for {time} so far</source>
        <translation>bisher {time} untätig</translation>
    </message>
    <message>
        <source>importing the model into TVM</source>
        <translation>Importieren des Modells in TVM</translation>
    </message>
    <message>
        <source>in {stage}</source>
        <translation>in {stage}</translation>
    </message>
    <message>
        <source>indices</source>
        <translation>Indizes</translation>
    </message>
    <message>
        <source>info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>input {inputs}</source>
        <translation>Eingabe {inputs}</translation>
    </message>
    <message>
        <source>inputs {inputs}</source>
        <translation>Eingaben {inputs}</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>it became shorter</source>
        <translation>sie wurde kürzer</translation>
    </message>
    <message>
        <source>it cannot be compiled: {why}</source>
        <translation>er lässt sich nicht kompilieren: {why}</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>er antwortet nicht</translation>
    </message>
    <message>
        <source>it does not know this setting</source>
        <translation>es kennt diese Einstellung nicht</translation>
    </message>
    <message>
        <source>it does not run: {why}</source>
        <translation>er läuft nicht: {why}</translation>
    </message>
    <message>
        <source>it does not take these shapes</source>
        <translation>es nimmt diese Formen nicht</translation>
    </message>
    <message>
        <source>it does not take these types</source>
        <translation>es nimmt diese Typen nicht</translation>
    </message>
    <message>
        <source>it does not take this use of the operator</source>
        <translation>es nimmt diesen Gebrauch des Operators nicht</translation>
    </message>
    <message>
        <source>it gives fewer outputs than the node has</source>
        <translation>es gibt weniger Ausgaben, als der Knoten hat</translation>
    </message>
    <message>
        <source>it has no latency yet</source>
        <translation>er hat noch keine Latenz</translation>
    </message>
    <message>
        <source>it is to have {floors} slots, and has {slots}</source>
        <translation>er soll {floors} Slots haben und hat {slots}</translation>
    </message>
    <message>
        <source>it wants a constant for one of its inputs</source>
        <translation>es will für eine seiner Eingaben eine Konstante</translation>
    </message>
    <message>
        <source>it was made for batch size {batch}, and this is {here}</source>
        <translation>er wurde für Batchgröße {batch} gemacht, und dies ist {here}</translation>
    </message>
    <message>
        <source>it was made for {device}, and this is {here}</source>
        <translation>er wurde für {device} gemacht, und dies ist {here}</translation>
    </message>
    <message>
        <source>it was slower than one operator after another</source>
        <translation>er war langsamer als ein Operator nach dem anderen</translation>
    </message>
    <message>
        <source>it will take away {gain} each second</source>
        <translation>er wird je Sekunde {gain} einsparen</translation>
    </message>
    <message>
        <source>it will take away {gain} each slot</source>
        <translation>er wird je Slot {gain} einsparen</translation>
    </message>
    <message>
        <source>its best is no schedule but a call of a vendor&apos;s library</source>
        <translation>sein Bestes ist kein Schedule, sondern ein Aufruf der Bibliothek eines Herstellers</translation>
    </message>
    <message>
        <source>its best is no schedule but a ready kernel</source>
        <translation>sein Bestes ist kein Schedule, sondern ein fertiger Kernel</translation>
    </message>
    <message>
        <source>its best schedule is another model&apos;s</source>
        <translation>sein bester Schedule ist der eines anderen Modells</translation>
    </message>
    <message>
        <source>its best schedule is another task&apos;s</source>
        <translation>sein bester Schedule ist der eines anderen Tasks</translation>
    </message>
    <message>
        <source>its best schedule is the starter library&apos;s</source>
        <translation>sein bester Schedule ist der der Startbibliothek</translation>
    </message>
    <message>
        <source>its device is lost</source>
        <translation>sein Gerät ist verloren</translation>
    </message>
    <message>
        <source>its first result</source>
        <translation>das erste Ergebnis</translation>
    </message>
    <message>
        <source>its first result, for it is {part:.1%} of the model&apos;s {whole}</source>
        <translation>sein erstes Ergebnis, denn er hat {part:.1%} der {whole} des Modells</translation>
    </message>
    <message>
        <source>its first slot</source>
        <translation>sein erster Slot</translation>
    </message>
    <message>
        <source>its only candidate failed with a {kind}</source>
        <translation>sein einziger Kandidat ist gescheitert: {kind}</translation>
    </message>
    <message>
        <source>its outputs differ</source>
        <translation>seine Ausgaben weichen ab</translation>
    </message>
    <message>
        <source>its outputs differ by more than rounding</source>
        <translation>seine Ausgaben weichen um mehr als Rundung ab</translation>
    </message>
    <message>
        <source>its process crashed ({words})</source>
        <translation>sein Prozess ist abgestürzt ({words})</translation>
    </message>
    <message>
        <source>its turn, slot {slots} of this task</source>
        <translation>an der Reihe, Slot {slots} dieses Tasks</translation>
    </message>
    <message>
        <source>its turn, slot {slots} of {share}</source>
        <translation>an der Reihe, Slot {slots} von {share}</translation>
    </message>
    <message>
        <source>job {number}</source>
        <translation>Job {number}</translation>
    </message>
    <message>
        <source>jobs and concurrency say the same.</source>
        <translation>jobs und concurrency sagen dasselbe.</translation>
    </message>
    <message>
        <source>kernels have changed since it was made</source>
        <translation>Kernel haben sich seitdem geändert</translation>
    </message>
    <message>
        <source>knob</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>knobs</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>known schedules meet the latency objective</source>
        <translation>bekannte Schedules erreichen das Latenzziel</translation>
    </message>
    <message>
        <source>large blocks in parts</source>
        <translation>große Blöcke in Teilen</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>least slots of {task}</source>
        <translation>Mindestslots von {task}</translation>
    </message>
    <message>
        <source>least urgent</source>
        <translation>am wenigsten dringend</translation>
    </message>
    <message>
        <source>leaving out run {number}</source>
        <translation>Lauf {number} weglassen</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>looking at its operators</source>
        <translation>Ansehen seiner Operatoren</translation>
    </message>
    <message>
        <source>lowering and fusing operators</source>
        <translation>Absenken und Fusionieren der Operatoren</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>messen</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>measured on {device}</source>
        <translation>auf {device} gemessen</translation>
    </message>
    <message>
        <source>measurement</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>measurement of the whole model</source>
        <translation>Messung des ganzen Modells</translation>
    </message>
    <message>
        <source>measurements are disturbed</source>
        <translation>Messungen werden gestört</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>misst</translation>
    </message>
    <message>
        <source>measuring {time} ({share})</source>
        <translation>Messen {time} ({share})</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>zusammengelegt</translation>
    </message>
    <message>
        <source>merged by simplification into {names}</source>
        <translation>bei der Vereinfachung zusammengelegt zu {names}</translation>
    </message>
    <message>
        <source>merged only</source>
        <translation>nur zusammengelegt</translation>
    </message>
    <message>
        <source>missing: it was moved or deleted</source>
        <translation>fehlt: verschoben oder gelöscht</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>model  {time}</source>
        <translation>Modell  {time}</translation>
    </message>
    <message>
        <source>model {latency}</source>
        <translation>Modell {latency}</translation>
    </message>
    <message>
        <source>model {name}</source>
        <translation>Modell {name}</translation>
    </message>
    <message>
        <source>more than can be counted</source>
        <translation>mehr als zählbar</translation>
    </message>
    <message>
        <source>more, the longer it lasts; most of it early</source>
        <translation>mehr, je länger sie dauert; das meiste früh</translation>
    </message>
    <message>
        <source>most of what tuning every task would bring; published: 84 % of it in 28 % of the time on average</source>
        <translation>das meiste von dem, was das Tunen jedes Tasks brächte; veröffentlicht: im Mittel 84 % davon in 28 % der Zeit</translation>
    </message>
    <message>
        <source>most on models with parallel branches of small operators on a large device; none on a chain. It is never slower than one after another</source>
        <translation>am meisten bei Modellen mit parallelen Zweigen kleiner Operatoren auf einem großen Gerät; keiner bei einer Kette. Nie langsamer als nacheinander</translation>
    </message>
    <message>
        <source>most urgent</source>
        <translation>am dringendsten</translation>
    </message>
    <message>
        <source>mostly {error}</source>
        <translation>meist {error}</translation>
    </message>
    <message>
        <source>move {task}</source>
        <translation>{task} verschieben</translation>
    </message>
    <message>
        <source>name of {what}</source>
        <translation>Name von {what}</translation>
    </message>
    <message>
        <source>negative indices</source>
        <translation>negative Indizes</translation>
    </message>
    <message>
        <source>neighbours of its best schedule</source>
        <translation>Nachbarn seines besten Schedules</translation>
    </message>
    <message>
        <source>next slot: {gain} expected off the model ± {spread} (80 %: {low} to {high})</source>
        <translation>nächster Slot: {gain} weniger fürs Modell erwartet ± {spread} (80 %: {low} bis {high})</translation>
    </message>
    <message>
        <source>next slot: {gain} expected off the model ± {spread} ({how})</source>
        <translation>nächster Slot: {gain} weniger fürs Modell erwartet ± {spread} ({how})</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no belief before the first latency</source>
        <translation>keine Annahme vor der ersten Latenz</translation>
    </message>
    <message>
        <source>no faster</source>
        <translation>nicht schneller</translation>
    </message>
    <message>
        <source>no faster than untuned</source>
        <translation>nicht schneller als ungetunt</translation>
    </message>
    <message>
        <source>no improvement found</source>
        <translation>keine Verbesserung gefunden</translation>
    </message>
    <message>
        <source>no improvement found: every neighbour was tried before</source>
        <translation>keine Verbesserung gefunden: Jeder Nachbar wurde schon versucht</translation>
    </message>
    <message>
        <source>no improvement found: none of {count} schedules nearby is faster</source>
        <translation>keine Verbesserung gefunden: Keiner von {count} nahen Schedules ist schneller</translation>
    </message>
    <message>
        <source>no improvement found: the schedule leaves nothing to decide</source>
        <translation>keine Verbesserung gefunden: Der Schedule lässt nichts zu entscheiden</translation>
    </message>
    <message>
        <source>no improvement found: {count} could not be compared well enough</source>
        <translation>keine Verbesserung gefunden: {count} ließen sich nicht gut genug vergleichen</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>no neighbour is better</source>
        <translation>kein Nachbar ist besser</translation>
    </message>
    <message>
        <source>no node of the file: added for the layout that the target wants</source>
        <translation>kein Knoten der Datei: eingefügt für das Layout, das das Target will</translation>
    </message>
    <message>
        <source>no other is left</source>
        <translation>kein anderes ist übrig</translation>
    </message>
    <message>
        <source>no other job begins</source>
        <translation>kein weiterer Job beginnt</translation>
    </message>
    <message>
        <source>no result</source>
        <translation>kein Ergebnis</translation>
    </message>
    <message>
        <source>no result yet after {n} slot, and no untuned latency</source>
        <translation>noch kein Ergebnis nach {n} Slot und keine ungetunte Latenz</translation>
    </message>
    <message>
        <source>no result yet after {n} slots, and no untuned latency</source>
        <translation>noch kein Ergebnis nach {n} Slots und keine ungetunte Latenz</translation>
    </message>
    <message>
        <source>no task has a valid result yet</source>
        <translation>noch hat kein Task ein gültiges Ergebnis</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>kein Text</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>none</source>
        <comment>value of a knob</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>none is used</source>
        <translation>keiner wird verwendet</translation>
    </message>
    <message>
        <source>none yet: Find stages</source>
        <translation>noch keine: Stufen suchen</translation>
    </message>
    <message>
        <source>none yet: Share groups tasks that can use one schedule</source>
        <translation>noch keine: Share gruppiert Tasks, die einen Schedule teilen können</translation>
    </message>
    <message>
        <source>none: all operators wait for each other</source>
        <translation>keine: Alle Operatoren warten aufeinander</translation>
    </message>
    <message>
        <source>none: nothing to tune</source>
        <translation>keiner: nichts zu tunen</translation>
    </message>
    <message>
        <source>normal times 50</source>
        <translation>normalverteilt mal 50</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>not followed</source>
        <translation>nicht verfolgt</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch unbekannt</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>not of the queue</source>
        <translation>nicht von der Warteschlange</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>not significant</source>
        <translation>nicht signifikant</translation>
    </message>
    <message>
        <source>not the best</source>
        <translation>nicht der beste</translation>
    </message>
    <message>
        <source>not tried</source>
        <translation>nicht versucht</translation>
    </message>
    <message>
        <source>not tuned yet</source>
        <translation>noch nicht getunt</translation>
    </message>
    <message>
        <source>note of {what}</source>
        <translation>Notiz zu {what}</translation>
    </message>
    <message>
        <source>nothing by itself: a search for stages then finds where merged operators pay</source>
        <translation>für sich nichts: Eine Suche nach Stufen findet dann, wo sich zusammengelegte Operatoren lohnen</translation>
    </message>
    <message>
        <source>nothing is left to try</source>
        <translation>es gibt nichts mehr zu versuchen</translation>
    </message>
    <message>
        <source>now {ratio} as fast</source>
        <translation>jetzt {ratio} so schnell</translation>
    </message>
    <message>
        <source>now {ratio} its time</source>
        <translation>jetzt {ratio} seiner Zeit</translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation>nirgendwo</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>objective met</source>
        <translation>Vorgabe erreicht</translation>
    </message>
    <message>
        <source>of latency</source>
        <translation>der Latenz</translation>
    </message>
    <message numerus="yes">
        <source>on %n cores</source>
        <translation>
            <numerusform>auf %n Kern</numerusform>
            <numerusform>auf %n Kernen</numerusform>
        </translation>
    </message>
    <message>
        <source>on its own: no other task uses its schedules</source>
        <translation>allein: kein anderer Task verwendet seine Schedules</translation>
    </message>
    <message>
        <source>on its own: tuned</source>
        <translation>allein: getunt</translation>
    </message>
    <message>
        <source>one group</source>
        <translation>eine Gruppe</translation>
    </message>
    <message>
        <source>one more slot is expected to save {gain} (give or take {spread}) of {whole} after {n} slot</source>
        <translation>ein weiterer Slot spart nach {n} Slot voraussichtlich {gain} (plus oder minus {spread}) von {whole}</translation>
    </message>
    <message>
        <source>one more slot is expected to save {gain} (give or take {spread}) of {whole} after {n} slots</source>
        <translation>ein weiterer Slot spart nach {n} Slots voraussichtlich {gain} (plus oder minus {spread}) von {whole}</translation>
    </message>
    <message>
        <source>one of {names}</source>
        <translation>eines von {names}</translation>
    </message>
    <message>
        <source>one operator after another was the fastest</source>
        <translation>ein Operator nach dem anderen war am schnellsten</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>operator type</source>
        <translation>Art des Operators</translation>
    </message>
    <message>
        <source>operator {number}</source>
        <translation>Operator {number}</translation>
    </message>
    <message>
        <source>operators {numbers}</source>
        <translation>Operatoren {numbers}</translation>
    </message>
    <message>
        <source>or</source>
        <translation>oder</translation>
    </message>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>other arguments</source>
        <translation>andere Argumente</translation>
    </message>
    <message>
        <source>other programs had {load} of the cores that it needs</source>
        <translation>andere Programme hatten {load} der Kerne, die sie braucht</translation>
    </message>
    <message>
        <source>other values</source>
        <translation>andere Werte</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>p-value</source>
        <translation>p-Wert</translation>
    </message>
    <message>
        <source>paper: gain in ms, bonus without unit</source>
        <translation>paper: Gewinn in ms, Bonus ohne Einheit</translation>
    </message>
    <message>
        <source>partial mask</source>
        <translation>teilweise Maske</translation>
    </message>
    <message>
        <source>pastes text</source>
        <translation>fügt Text ein</translation>
    </message>
    <message>
        <source>paths</source>
        <translation>Pfade</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>pin {task}</source>
        <translation>{task} anheften</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>pinned, {n} slot so far</source>
        <translation>angeheftet, {n} Slot bisher</translation>
    </message>
    <message>
        <source>pinned, {n} slots so far</source>
        <translation>angeheftet, {n} Slots bisher</translation>
    </message>
    <message>
        <source>polished</source>
        <translation>verfeinert</translation>
    </message>
    <message>
        <source>predicted tuning time: {time} for {trials}, all tasks: {all}</source>
        <translation>vorhergesagte Tuning-Zeit: {time} für {trials}, alle Tasks: {all}</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>bereitet vor</translation>
    </message>
    <message>
        <source>project&apos;s note</source>
        <translation>Notiz des Projekts</translation>
    </message>
    <message>
        <source>r: operators a group, at most</source>
        <translation>r: Operatoren je Gruppe, höchstens</translation>
    </message>
    <message>
        <source>read</source>
        <translation>lesen</translation>
    </message>
    <message>
        <source>reading of the model</source>
        <translation>Lesen des Modells</translation>
    </message>
    <message>
        <source>reading the model</source>
        <translation>Lesen des Modells</translation>
    </message>
    <message>
        <source>reads {read}, writes {written}{speed}</source>
        <translation>liest {read}, schreibt {written}{speed}</translation>
    </message>
    <message>
        <source>ready kernel</source>
        <translation>fertiger Kernel</translation>
    </message>
    <message>
        <source>relative: bonus by the belief&apos;s spread</source>
        <translation>relative: Bonus nach Streuung der Annahme</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>removed by simplification</source>
        <translation>bei der Vereinfachung entfernt</translation>
    </message>
    <message>
        <source>replay</source>
        <translation>nachspielen</translation>
    </message>
    <message>
        <source>replay of a schedule</source>
        <translation>Nachspielen eines Schedules</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>nachgespielt</translation>
    </message>
    <message>
        <source>replayed: {reason}</source>
        <translation>nachgespielt: {reason}</translation>
    </message>
    <message numerus="yes">
        <source>representative of %n tasks</source>
        <translation>
            <numerusform>Vertreter von %n Task</numerusform>
            <numerusform>Vertreter von %n Tasks</numerusform>
        </translation>
    </message>
    <message>
        <source>representative {task}</source>
        <translation>Vertreter {task}</translation>
    </message>
    <message>
        <source>representative: tuned</source>
        <translation>Vertreter: getunt</translation>
    </message>
    <message>
        <source>reset clusters</source>
        <translation>Cluster zurücksetzen</translation>
    </message>
    <message>
        <source>run crash</source>
        <translation>Mess-Absturz</translation>
    </message>
    <message>
        <source>run error</source>
        <translation>Messfehler</translation>
    </message>
    <message>
        <source>run settings</source>
        <translation>Einstellungen des Laufs</translation>
    </message>
    <message>
        <source>run timeout</source>
        <translation>Mess-Zeitüberschreitung</translation>
    </message>
    <message>
        <source>run {number}</source>
        <translation>Lauf {number}</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>running the file to compare with</source>
        <translation>Ausführen der Datei zum Vergleich</translation>
    </message>
    <message>
        <source>same threads</source>
        <translation>gleiche Threads</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>search {time} ({share})</source>
        <translation>Suche {time} ({share})</translation>
    </message>
    <message>
        <source>searching</source>
        <translation>sucht</translation>
    </message>
    <message>
        <source>selects all</source>
        <translation>wählt alles aus</translation>
    </message>
    <message>
        <source>shape not known</source>
        <translation>Form unbekannt</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>share of latency</source>
        <translation>Latenzanteil</translation>
    </message>
    <message>
        <source>share of the gain so far</source>
        <translation>Anteil am bisherigen Gewinn</translation>
    </message>
    <message>
        <source>share: bonus by share of the latency</source>
        <translation>share: Bonus nach Anteil an der Latenz</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>geteilt</translation>
    </message>
    <message>
        <source>side by side and merged</source>
        <translation>nebeneinander und zusammengelegt</translation>
    </message>
    <message>
        <source>side by side only</source>
        <translation>nur nebeneinander</translation>
    </message>
    <message>
        <source>side by side, or merged</source>
        <translation>nebeneinander oder zusammengelegt</translation>
    </message>
    <message>
        <source>since {moment}</source>
        <translation>seit {moment}</translation>
    </message>
    <message>
        <source>skip no more {task}</source>
        <translation>{task} nicht mehr auslassen</translation>
    </message>
    <message>
        <source>skip {task}</source>
        <translation>{task} auslassen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>slot {number}  {task}</source>
        <translation>Slot {number}  {task}</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>some NaN</source>
        <translation>einige NaN</translation>
    </message>
    <message>
        <source>some infinities</source>
        <translation>einige Unendlich</translation>
    </message>
    <message>
        <source>something was measured {share} of the run</source>
        <translation>gemessen wurde in {share} des Laufs</translation>
    </message>
    <message>
        <source>sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>spaces</source>
        <translation>Suchräume</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>stage {number}</source>
        <translation>Stufe {number}</translation>
    </message>
    <message>
        <source>stage {number} of {count}: {how}</source>
        <translation>Stufe {number} von {count}: {how}</translation>
    </message>
    <message>
        <source>standard normal</source>
        <translation>standardnormalverteilt</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>start of workers</source>
        <translation>Start der Helfer</translation>
    </message>
    <message>
        <source>starter</source>
        <translation>Startbibliothek</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>state of tuning</source>
        <translation>Stand des Tunings</translation>
    </message>
    <message>
        <source>stays an input</source>
        <translation>bleibt Eingabe</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>step {number}  {decision}</source>
        <translation>Schritt {number}  {decision}</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>endet</translation>
    </message>
    <message>
        <source>takes the schedules of {task}, similarity {value}</source>
        <translation>nimmt die Schedules von {task}, Ähnlichkeit {value}</translation>
    </message>
    <message>
        <source>takes {time}</source>
        <translation>dauert {time}</translation>
    </message>
    <message>
        <source>takes {time}, its operators one after another {alone}: {ratio}</source>
        <translation>dauert {time}, ihre Operatoren nacheinander {alone}: {ratio}</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>task {number}</source>
        <translation>Task {number}</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>tasks to tune: {count} of {all}</source>
        <translation>zu tunende Tasks: {count} von {all}</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>than untuned</source>
        <translation>als ungetunt</translation>
    </message>
    <message>
        <source>that needs more than {memory:.1f} GB of memory</source>
        <translation>das braucht mehr als {memory:.1f} GB Speicher</translation>
    </message>
    <message>
        <source>that takes more than {seconds:.0f} seconds</source>
        <translation>das dauert mehr als {seconds:.0f} Sekunden</translation>
    </message>
    <message>
        <source>the best schedules of its members</source>
        <translation>die besten Schedules seiner Mitglieder</translation>
    </message>
    <message>
        <source>the best schedules of {task}</source>
        <translation>die besten Schedules von {task}</translation>
    </message>
    <message>
        <source>the board was hot and held its cores back</source>
        <translation>das Board war heiß und drosselte seine Kerne</translation>
    </message>
    <message>
        <source>the job queue</source>
        <translation>die Warteschlange</translation>
    </message>
    <message>
        <source>the largest gradient, {score} a slot after {slots} slots</source>
        <translation>der größte Gradient, {score} je Slot nach {slots} Slots</translation>
    </message>
    <message>
        <source>the latency objective is met</source>
        <translation>das Latenzziel ist erreicht</translation>
    </message>
    <message>
        <source>the plan is carried out</source>
        <translation>der Plan ist ausgeführt</translation>
    </message>
    <message>
        <source>the queue does not run</source>
        <translation>die Warteschlange läuft nicht</translation>
    </message>
    <message>
        <source>the queue runs</source>
        <translation>die Warteschlange läuft</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>der Referenz</translation>
    </message>
    <message>
        <source>the run goes on with {names}</source>
        <translation>der Lauf geht weiter mit {names}</translation>
    </message>
    <message>
        <source>the same workload</source>
        <translation>derselbe Workload</translation>
    </message>
    <message>
        <source>the tag {tag} is not read.</source>
        <translation>die Marke {tag} wird nicht gelesen.</translation>
    </message>
    <message>
        <source>the time is spent</source>
        <translation>die Zeit ist verbraucht</translation>
    </message>
    <message>
        <source>the trials are spent</source>
        <translation>die Versuche sind verbraucht</translation>
    </message>
    <message>
        <source>there are no budgets.</source>
        <translation>es gibt keine Budgets.</translation>
    </message>
    <message>
        <source>there are no models.</source>
        <translation>es gibt keine Modelle.</translation>
    </message>
    <message>
        <source>this budget has no limit.</source>
        <translation>dieses Budget hat keine Grenze.</translation>
    </message>
    <message>
        <source>this is nested too deeply.</source>
        <translation>das ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>this is no YAML: {problem}.</source>
        <translation>das ist kein YAML: {problem}.</translation>
    </message>
    <message>
        <source>this is no {kind}.</source>
        <translation>das ist keine {kind}.</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>diese Maschine</translation>
    </message>
    <message>
        <source>this model has no file.</source>
        <translation>dieses Modell hat keine Datei.</translation>
    </message>
    <message>
        <source>threshold {value:.2f}</source>
        <translation>Schwelle {value:.2f}</translation>
    </message>
    <message>
        <source>title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>to {name}</source>
        <translation>zu {name}</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>train</source>
        <translation>trainieren</translation>
    </message>
    <message>
        <source>training of the cost model</source>
        <translation>Training des Kostenmodells</translation>
    </message>
    <message>
        <source>transferred</source>
        <translation>übertragen</translation>
    </message>
    <message>
        <source>trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>trial {number}</source>
        <translation>Versuch {number}</translation>
    </message>
    <message>
        <source>trial {number} at {time}</source>
        <translation>Versuch {number} bei {time}</translation>
    </message>
    <message>
        <source>trial {start} → trial {end}</source>
        <translation>Versuch {start} → Versuch {end}</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>tuned</source>
        <translation>getunt</translation>
    </message>
    <message>
        <source>tuned with TVM {version}</source>
        <translation>mit TVM {version} getunt</translation>
    </message>
    <message>
        <source>tuning</source>
        <translation>tunt</translation>
    </message>
    <message>
        <source>two {key} are called {twice}.</source>
        <translation>zwei {key} heißen {twice}.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unknown policy</source>
        <translation>unbekannte Strategie</translation>
    </message>
    <message>
        <source>unpin {task}</source>
        <translation>{task} ablösen</translation>
    </message>
    <message>
        <source>until done</source>
        <translation>bis fertig</translation>
    </message>
    <message>
        <source>untuned</source>
        <translation>ungetunt</translation>
    </message>
    <message>
        <source>use of run {number}</source>
        <translation>Lauf {number} verwenden</translation>
    </message>
    <message>
        <source>used</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>used by {count}</source>
        <translation>verwendet von {count}</translation>
    </message>
    <message>
        <source>usual for images</source>
        <translation>üblich für Bilder</translation>
    </message>
    <message>
        <source>usual for lines of text</source>
        <translation>üblich für Textzeilen</translation>
    </message>
    <message>
        <source>usual for sequences</source>
        <translation>üblich für Folgen</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Sicht</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>waiting {time} ({share})</source>
        <translation>Warten {time} ({share})</translation>
    </message>
    <message numerus="yes">
        <source>waits for %n cores</source>
        <translation>
            <numerusform>wartet auf %n Kern</numerusform>
            <numerusform>wartet auf %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet, bis es dran ist</translation>
    </message>
    <message>
        <source>waits for its turn, after {jobs}</source>
        <translation>wartet, bis es dran ist, nach {jobs}</translation>
    </message>
    <message>
        <source>waits for {device}</source>
        <translation>wartet auf {device}</translation>
    </message>
    <message>
        <source>waits for {n} core</source>
        <translation>wartet auf {n} Kern</translation>
    </message>
    <message>
        <source>waits for {n} cores</source>
        <translation>wartet auf {n} Kerne</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>what it may spend is spent</source>
        <translation>was er verbrauchen darf, ist verbraucht</translation>
    </message>
    <message>
        <source>what its steps bring; a repeated plan ends where a round brings nothing more</source>
        <translation>was seine Schritte bringen; ein wiederholter Plan endet, wo eine Runde nichts mehr bringt</translation>
    </message>
    <message>
        <source>what tasks shall get in {name}</source>
        <translation>was Tasks in {name} bekommen sollen</translation>
    </message>
    <message>
        <source>what was searched</source>
        <translation>was durchsucht wurde</translation>
    </message>
    <message>
        <source>whole model</source>
        <translation>ganzes Modell</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>ganze Zahlen</translation>
    </message>
    <message>
        <source>wishes</source>
        <translation>Wünsche</translation>
    </message>
    <message>
        <source>within the spread</source>
        <translation>innerhalb der Streuung</translation>
    </message>
    <message>
        <source>within {percent} % of the best</source>
        <translation>bis auf {percent} % am Besten</translation>
    </message>
    <message>
        <source>within {percent} %:</source>
        <translation>bis auf {percent} %:</translation>
    </message>
    <message>
        <source>work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>{at} of {count}</source>
        <translation>{at} von {count}</translation>
    </message>
    <message>
        <source>{axes!r} is no shape of &apos;{name}&apos;.</source>
        <translation>{axes!r} ist keine Form von &apos;{name}&apos;.</translation>
    </message>
    <message>
        <source>{change} when it was confirmed</source>
        <translation>{change}, als er bestätigt wurde</translation>
    </message>
    <message>
        <source>{command}  (not now)</source>
        <translation>{command}  (jetzt nicht)</translation>
    </message>
    <message>
        <source>{count:,}/{budget:,} trials</source>
        <translation>{count:,}/{budget:,} Versuche</translation>
    </message>
    <message>
        <source>{count} blocks</source>
        <translation>{count} Blöcke</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} gescheitert</translation>
    </message>
    <message>
        <source>{count} found</source>
        <translation>{count} gefunden</translation>
    </message>
    <message>
        <source>{count} in the model</source>
        <translation>{count} im Modell</translation>
    </message>
    <message>
        <source>{count} merged</source>
        <translation>{count} zusammengelegt</translation>
    </message>
    <message>
        <source>{count} merged: {name}</source>
        <translation>{count} zusammengelegt: {name}</translation>
    </message>
    <message>
        <source>{count} of at most {most}</source>
        <translation>{count} von höchstens {most}</translation>
    </message>
    <message>
        <source>{count} of {all}</source>
        <translation>{count} von {all}</translation>
    </message>
    <message>
        <source>{count} of {all} schedules tried</source>
        <translation>{count} von {all} Schedules versucht</translation>
    </message>
    <message>
        <source>{count} of {all} trials</source>
        <translation>{count} von {all}</translation>
    </message>
    <message>
        <source>{count} schedules of donors do not replay here.</source>
        <translation>{count} Schedules von Spendern lassen sich hier nicht anwenden.</translation>
    </message>
    <message>
        <source>{count} to search; the largest has {largest} operators, at most {width} of them side by side</source>
        <translation>{count} zu durchsuchen; der größte hat {largest} Operatoren, höchstens {width} davon nebeneinander</translation>
    </message>
    <message>
        <source>{count} under way</source>
        <translation>{count} im Gange</translation>
    </message>
    <message>
        <source>{count}, cut short: far slower than the best</source>
        <translation>{count}, abgebrochen: weit langsamer als der beste</translation>
    </message>
    <message>
        <source>{count}, it was not significantly faster.</source>
        <translation>{count}, er war nicht signifikant schneller.</translation>
    </message>
    <message>
        <source>{count}, none was significantly faster.</source>
        <translation>{count}, keiner war signifikant schneller.</translation>
    </message>
    <message>
        <source>{directory} cannot be written: {reason}.</source>
        <translation>{directory} lässt sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>{done} of {all} cells are done.</source>
        <translation>{done} von {all} Zellen sind fertig.</translation>
    </message>
    <message>
        <source>{donor} was not tried on {name}, or its gain is unknown.</source>
        <translation>{donor} wurde an {name} nicht versucht, oder der Gewinn ist unbekannt.</translation>
    </message>
    <message>
        <source>{ended} of {all} jobs have ended</source>
        <translation>{ended} von {all} Jobs sind beendet</translation>
    </message>
    <message>
        <source>{ended}, at most {count} left. Search again to go on</source>
        <translation>{ended}, höchstens {count} übrig. Zum Fortsetzen neu suchen</translation>
    </message>
    <message>
        <source>{ended}. Large blocks were searched in parts</source>
        <translation>{ended}. Große Blöcke wurden in Teilen durchsucht</translation>
    </message>
    <message>
        <source>{ended}. Within these limits none is over 1 % faster</source>
        <translation>{ended}. In diesen Grenzen ist keiner über 1 % schneller</translation>
    </message>
    <message>
        <source>{end} after {time}, {stages} measured</source>
        <translation>{end} nach {time}, {stages} gemessen</translation>
    </message>
    <message>
        <source>{error}</source>
        <translation>{error}</translation>
    </message>
    <message>
        <source>{error}.</source>
        <translation>{error}.</translation>
    </message>
    <message>
        <source>{evaluator} cannot load the model ({error}).</source>
        <translation>{evaluator} kann das Modell nicht laden ({error}).</translation>
    </message>
    <message>
        <source>{evaluator} cannot run the model ({error}).</source>
        <translation>{evaluator} kann das Modell nicht ausführen ({error}).</translation>
    </message>
    <message>
        <source>{evaluator} does not hold models of more than 1 GB.</source>
        <translation>{evaluator} fasst keine Modelle über 1 GB.</translation>
    </message>
    <message>
        <source>{evaluator} pads pools otherwise than ONNX defines it.</source>
        <translation>{evaluator} polstert Pools anders, als ONNX es festlegt.</translation>
    </message>
    <message>
        <source>{evaluator} takes too long for the model.</source>
        <translation>{evaluator} braucht für das Modell zu lange.</translation>
    </message>
    <message>
        <source>{family}, acceptance {share}</source>
        <translation>{family}, Akzeptanz {share}</translation>
    </message>
    <message>
        <source>{family}, {walkers} walkers, {count} steps. Mean acceptance {acceptance} (the paper: {papers}). The first {skipped} steps are left out (the paper: converged after about {papers_steps}). Autocorrelation in steps: {steps}.</source>
        <translation>{family}, {walkers} Walker, {count} Schritte. Mittlere Annahmerate {acceptance} (das Paper: {papers}). Die ersten {skipped} Schritte sind ausgelassen (das Paper: konvergiert nach etwa {papers_steps}). Autokorrelation in Schritten: {steps}.</translation>
    </message>
    <message>
        <source>{file} cannot be read: {strerror}.</source>
        <translation>{file} lässt sich nicht lesen: {strerror}.</translation>
    </message>
    <message>
        <source>{file} is damaged, or was changed by another program{place}.</source>
        <translation>{file} ist beschädigt oder wurde von einem anderen Programm geändert{place}.</translation>
    </message>
    <message>
        <source>{file} is not the result of an experiment.</source>
        <translation>{file} ist nicht das Ergebnis eines Experiments.</translation>
    </message>
    <message>
        <source>{file} was saved by a newer Tunewright (file version {version}, this one knows {known}).</source>
        <translation>{file} wurde von einem neueren Tunewright gespeichert (Dateiversion {version}, dieses kennt {known}).</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
    <message>
        <source>{first}, and {again} when it was confirmed</source>
        <translation>{first}, und {again} bei der Bestätigung</translation>
    </message>
    <message>
        <source>{gain:.3g}x faster than untuned there</source>
        <translation>dort {gain:.3g}x schneller als ungetunt</translation>
    </message>
    <message>
        <source>{gained} of {tasks} improved in {trials}.</source>
        <translation>{gained} von {tasks} verbessert ({trials}).</translation>
    </message>
    <message>
        <source>{gain} measured in turns, p-value {p}</source>
        <translation>{gain} abwechselnd gemessen, p-Wert {p}</translation>
    </message>
    <message>
        <source>{gain} measured once</source>
        <translation>{gain} einmal gemessen</translation>
    </message>
    <message>
        <source>{host} answers with something else than a project.</source>
        <translation>{host} antwortet mit etwas anderem als einem Projekt.</translation>
    </message>
    <message>
        <source>{host} cannot be reached{why}.</source>
        <translation>{host} ist nicht erreichbar{why}.</translation>
    </message>
    <message>
        <source>{host} does not run what reads the project{why}.</source>
        <translation>{host} führt nicht aus, was das Projekt liest{why}.</translation>
    </message>
    <message>
        <source>{host} has ended the connection.</source>
        <translation>{host} hat die Verbindung beendet.</translation>
    </message>
    <message>
        <source>{host} lets nobody in without a password.</source>
        <translation>{host} lässt niemanden ohne Passwort hinein.</translation>
    </message>
    <message>
        <source>{job} is being tuned. If it ends now, every result so far is kept.</source>
        <translation>{job} wird gerade getunt. Endet er jetzt, bleibt jedes bisherige Ergebnis.</translation>
    </message>
    <message>
        <source>{keys}  (was {before})</source>
        <translation>{keys}  (war {before})</translation>
    </message>
    <message>
        <source>{keys} and {others} of {commands} begin alike.</source>
        <translation>{keys} und {others} von {commands} beginnen gleich.</translation>
    </message>
    <message>
        <source>{keys} is the key of {commands}.</source>
        <translation>{keys} ist die Taste von {commands}.</translation>
    </message>
    <message>
        <source>{keys} opens the menu {menu}. Choose another key.</source>
        <translation>{keys} öffnet das Menü {menu}. Eine andere Taste wählen.</translation>
    </message>
    <message>
        <source>{keys} types, or moves in tables. Add Ctrl or Alt.</source>
        <translation>{keys} tippt oder bewegt in Tabellen. Strg oder Alt dazunehmen.</translation>
    </message>
    <message>
        <source>{keys} {does} everywhere. Choose another key.</source>
        <translation>{keys} {does}, und das überall. Eine andere Taste wählen.</translation>
    </message>
    <message>
        <source>{key} has the same twice.</source>
        <translation>{key} hat dasselbe zweimal.</translation>
    </message>
    <message>
        <source>{key} is no list.</source>
        <translation>{key} ist keine Liste.</translation>
    </message>
    <message>
        <source>{kind} is disturbed: {found}.</source>
        <translation>{kind} ist gestört: {found}.</translation>
    </message>
    <message>
        <source>{label}: give a limit</source>
        <translation>{label}: Grenze setzen</translation>
    </message>
    <message>
        <source>{latency} after {time}</source>
        <translation>{latency} nach {time}</translation>
    </message>
    <message>
        <source>{latency} best so far, {moment}</source>
        <translation>{latency} bester bisher, {moment}</translation>
    </message>
    <message>
        <source>{latency} confirmed</source>
        <translation>{latency} bestätigt</translation>
    </message>
    <message>
        <source>{layers}, of which the five slowest take {share}</source>
        <translation>{layers}, davon brauchen die fünf langsamsten {share}</translation>
    </message>
    <message>
        <source>{level}: {text}</source>
        <translation>{level}: {text}</translation>
    </message>
    <message>
        <source>{location} cannot be prepared: {name}.</source>
        <translation>{location} lässt sich nicht vorbereiten: {name}.</translation>
    </message>
    <message>
        <source>{location} has changed since the project was saved.</source>
        <translation>{location} hat sich geändert, seit das Projekt gespeichert wurde.</translation>
    </message>
    <message>
        <source>{location} holds {length} bytes for the weight {tensor}, whose shape needs {needed}.</source>
        <translation>{location} hat {length} Bytes für das Gewicht {tensor}, dessen Form {needed} braucht.</translation>
    </message>
    <message>
        <source>{missed}, which the project was tuned on, is not here: it goes on with {device}.</source>
        <translation>{missed}, worauf das Projekt getunt wurde, ist nicht hier: Es geht mit {device} weiter.</translation>
    </message>
    <message>
        <source>{model_name} has no trials to record.</source>
        <translation>{model_name} hat keine Versuche, die sich aufzeichnen ließen.</translation>
    </message>
    <message>
        <source>{model}: {before} untuned, {now} now ({ratio}).</source>
        <translation>{model}: {before} ungetunt, {now} jetzt ({ratio}).</translation>
    </message>
    <message>
        <source>{n:,} of {all:,} tuned kernel computes something else than the untuned one. Such trials have failed, and the next best take their place.</source>
        <translation>{n:,} von {all:,} getunten Kerneln rechnet etwas anderes als der ungetunte. Solche Versuche sind gescheitert, und die nächstbesten treten an ihre Stelle.</translation>
    </message>
    <message>
        <source>{n:,} of {all:,} tuned kernels compute something else than the untuned one. Such trials have failed, and the next best take their place.</source>
        <translation>{n:,} von {all:,} getunten Kerneln rechnen etwas anderes als der ungetunte. Solche Versuche sind gescheitert, und die nächstbesten treten an ihre Stelle.</translation>
    </message>
    <message>
        <source>{n:,} task is exported without its best schedule, which was not compared with the untuned kernel.</source>
        <translation>{n:,} Task wird ohne sein bestes Schedule exportiert, das nicht mit dem Kernel ohne Tuning verglichen wurde.</translation>
    </message>
    <message>
        <source>{n:,} tasks are exported without their best schedules, which were not compared with the untuned kernels.</source>
        <translation>{n:,} Tasks werden ohne ihre besten Schedules exportiert, die nicht mit den Kernels ohne Tuning verglichen wurden.</translation>
    </message>
    <message>
        <source>{n:,} tuned kernel cannot be compared with the untuned one.</source>
        <translation>{n:,} getunter Kernel lässt sich nicht mit dem ungetunten vergleichen.</translation>
    </message>
    <message>
        <source>{n:,} tuned kernels cannot be compared with the untuned one.</source>
        <translation>{n:,} getunte Kernel lassen sich nicht mit dem ungetunten vergleichen.</translation>
    </message>
    <message>
        <source>{name!r} names no CUDA device.</source>
        <translation>{name!r} nennt kein CUDA-Gerät.</translation>
    </message>
    <message>
        <source>{names}</source>
        <translation>{names}</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} und {count} weitere</translation>
    </message>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} und {last}</translation>
    </message>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und {n} weitere</translation>
    </message>
    <message>
        <source>{name}  (missing)</source>
        <translation>{name}  (fehlt)</translation>
    </message>
    <message>
        <source>{name}  (pinned)</source>
        <translation>{name}  (angeheftet)</translation>
    </message>
    <message>
        <source>{name}  in {folder}</source>
        <translation>{name}  in {folder}</translation>
    </message>
    <message>
        <source>{name}  {time} alone</source>
        <translation>{name}  {time} allein</translation>
    </message>
    <message>
        <source>{name} ({title}) cannot run what is built for {first} ({first_title}).</source>
        <translation>{name} ({title}) kann nicht ausführen, was für {first} ({first_title}) gebaut ist.</translation>
    </message>
    <message>
        <source>{name} cannot be read on {host}.</source>
        <translation>{name} ist auf {host} nicht lesbar.</translation>
    </message>
    <message>
        <source>{name} cannot be written here, and is only shown.</source>
        <translation>{name} kann hier nicht geschrieben werden und wird nur gezeigt.</translation>
    </message>
    <message>
        <source>{name} contains no operators.</source>
        <translation>{name} enthält keine Operatoren.</translation>
    </message>
    <message>
        <source>{name} crashed the process that was {doing} ({words}).</source>
        <translation>{name} brachte den Prozess zum Absturz, beim {doing} ({words}).</translation>
    </message>
    <message>
        <source>{name} gives no valid place in {location} for the weight {tensor}.</source>
        <translation>{name} nennt keine gültige Stelle in {location} für das Gewicht {tensor}.</translation>
    </message>
    <message>
        <source>{name} has ONNX IR version {ir_version}, and 3 is the oldest that can be read.</source>
        <translation>{name} hat die ONNX-IR-Version {ir_version}, und 3 ist die älteste lesbare.</translation>
    </message>
    <message>
        <source>{name} holds machine code that AOTInductor compiled, not a program.</source>
        <translation>{name} enthält Maschinencode von AOTInductor, kein Programm.</translation>
    </message>
    <message>
        <source>{name} holds {key} as a pickle, which may run any code when it is read.</source>
        <translation>{name} enthält {key} als Pickle, der beim Lesen beliebigen Code ausführen kann.</translation>
    </message>
    <message>
        <source>{name} is a pickle of torch.save or a TorchScript archive, and a pickle may run any code when it is read.</source>
        <translation>{name} ist ein Pickle von torch.save oder ein TorchScript-Archiv, und ein Pickle kann beim Lesen beliebigen Code ausführen.</translation>
    </message>
    <message>
        <source>{name} is a {format} file, and {modules} are not installed.</source>
        <translation>{name} ist eine {format}-Datei, und {modules} sind nicht installiert.</translation>
    </message>
    <message>
        <source>{name} is a {format} file, and {modules} is not installed.</source>
        <translation>{name} ist eine {format}-Datei, und {modules} ist nicht installiert.</translation>
    </message>
    <message>
        <source>{name} is being changed on {host}.</source>
        <translation>{name} wird auf {host} gerade geändert.</translation>
    </message>
    <message>
        <source>{name} is damaged: it holds text that is not UTF-8.</source>
        <translation>{name} ist beschädigt: Es enthält Text, der nicht UTF-8 ist.</translation>
    </message>
    <message>
        <source>{name} is damaged: its contents cannot be decoded.</source>
        <translation>{name} ist beschädigt: Der Inhalt lässt sich nicht dekodieren.</translation>
    </message>
    <message>
        <source>{name} is damaged: the weight {tensor} has {size} bytes, and its shape {shape} needs {needed}.</source>
        <translation>{name} ist beschädigt: Das Gewicht {tensor} hat {size} Bytes, und seine Form {shape} braucht {needed}.</translation>
    </message>
    <message>
        <source>{name} is damaged: {error}.</source>
        <translation>{name} ist beschädigt: {error}.</translation>
    </message>
    <message>
        <source>{name} is damaged: {why}.</source>
        <translation>{name} ist beschädigt: {why}.</translation>
    </message>
    <message>
        <source>{name} is no project.</source>
        <translation>{name} ist kein Projekt.</translation>
    </message>
    <message>
        <source>{name} is not a valid ONNX model: {error}.</source>
        <translation>{name} ist kein gültiges ONNX-Modell: {error}.</translation>
    </message>
    <message>
        <source>{name} is not an ONNX file, or it is damaged.</source>
        <translation>{name} ist keine ONNX-Datei oder ist beschädigt.</translation>
    </message>
    <message>
        <source>{name} is not there any more.</source>
        <translation>{name} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>{name} is of a type or layout that TVM lacks.</source>
        <translation>{name} ist von einem Typ oder Layout, das TVM nicht hat.</translation>
    </message>
    <message>
        <source>{name} is on {host}, and is only shown.</source>
        <translation>{name} liegt auf {host} und wird nur gezeigt.</translation>
    </message>
    <message>
        <source>{name} is truncated: {count} are there, and at least {missing} are missing.</source>
        <translation>{name} ist abgeschnitten: {count} sind da, und mindestens {missing} fehlen.</translation>
    </message>
    <message>
        <source>{name} is within {percent} % of the best after {time}, {saved} before {last}: {ratio} as fast.</source>
        <translation>{name} ist nach {time} bis auf {percent} % am Besten, {saved} vor {last}: {ratio} so schnell.</translation>
    </message>
    <message>
        <source>{name} is within {percent} % of the best after {time}.</source>
        <translation>{name} ist nach {time} bis auf {percent} % am Besten.</translation>
    </message>
    <message>
        <source>{name} is within {percent} % of the best after {time}; no other is.</source>
        <translation>{name} ist nach {time} bis auf {percent} % am Besten; sonst keine.</translation>
    </message>
    <message>
        <source>{name} needs bytes {offset} to {end} of {location}, which has {size}.</source>
        <translation>{name} braucht die Bytes {offset} bis {end} von {location}, das {size} hat.</translation>
    </message>
    <message>
        <source>{name} needs more than {memory:.1f} GB of memory, for {doing}.</source>
        <translation>{name} braucht mehr als {memory:.1f} GB Speicher, beim {doing}.</translation>
    </message>
    <message>
        <source>{name} needs the weight file {location}, which is missing.</source>
        <translation>{name} braucht die Gewichtsdatei {location}, die fehlt.</translation>
    </message>
    <message>
        <source>{name} on {host} (read-only)</source>
        <translation>{name} auf {host} (nur lesend)</translation>
    </message>
    <message>
        <source>{name} on {host} is no project of Tunewright&apos;s.</source>
        <translation>{name} auf {host} ist kein Projekt von Tunewright.</translation>
    </message>
    <message>
        <source>{name} on {host} is too large to be watched.</source>
        <translation>{name} auf {host} ist zu groß, um verfolgt zu werden.</translation>
    </message>
    <message>
        <source>{name} stays far behind its representative: tuning it by itself may pay.</source>
        <translation>{name} bleibt weit hinter seinem Vertreter: Ihn allein zu tunen, kann sich lohnen.</translation>
    </message>
    <message>
        <source>{name} takes weights from {location}, outside the model&apos;s folder.</source>
        <translation>{name} nimmt Gewichte aus {location}, außerhalb des Ordners des Modells.</translation>
    </message>
    <message>
        <source>{name} was given up after {seconds:.0f} seconds of {doing}.</source>
        <translation>{name} wurde nach {seconds:.0f} Sekunden aufgegeben, beim {doing}.</translation>
    </message>
    <message>
        <source>{name} was saved by an old PyTorch that pickled its weights, and a pickle may run any code when it is read.</source>
        <translation>{name} wurde von einem alten PyTorch gespeichert, das seine Gewichte als Pickle schrieb, und ein Pickle kann beim Lesen beliebigen Code ausführen.</translation>
    </message>
    <message>
        <source>{name}&apos;s weight file {location} cannot be read.</source>
        <translation>Die Gewichtsdatei {location} von {name} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>{name}&apos;s weights take {needed:.1f} GB, and {free:.1f} GB are free.</source>
        <translation>Die Gewichte von {name} brauchen {needed:.1f} GB, und {free:.1f} GB sind frei.</translation>
    </message>
    <message>
        <source>{name}&apos;s {key} has more than {max_elements} elements.</source>
        <translation>{key} von {name} hat mehr als {max_elements} Elemente.</translation>
    </message>
    <message>
        <source>{name}&apos;s {key} is of a type or layout that TVM lacks.</source>
        <translation>{key} von {name} ist von einem Typ oder Layout, das TVM nicht hat.</translation>
    </message>
    <message>
        <source>{name}, first</source>
        <translation>{name}, erster</translation>
    </message>
    <message>
        <source>{name}, second</source>
        <translation>{name}, zweiter</translation>
    </message>
    <message>
        <source>{name}, what differs</source>
        <translation>{name}, Unterschiede</translation>
    </message>
    <message>
        <source>{name}, {count} alike: double-click opens them</source>
        <translation>{name}, {count} gleiche: Doppelklick klappt auf</translation>
    </message>
    <message>
        <source>{name}, {count} nodes: double-click opens it</source>
        <translation>{name}, {count} Knoten: Doppelklick klappt auf</translation>
    </message>
    <message>
        <source>{name}: the process that was {doing} was killed each time ({words}).</source>
        <translation>{name}: Der Prozess wurde jedes Mal beendet, beim {doing} ({words}).</translation>
    </message>
    <message>
        <source>{name}: {count} nodes, {weights} weights, being lowered</source>
        <translation>{name}: {count} Knoten, {weights} Gewichte, wird abgesenkt</translation>
    </message>
    <message>
        <source>{name}: {error}.</source>
        <translation>{name}: {error}.</translation>
    </message>
    <message>
        <source>{name}: {finished}.</source>
        <translation>{name}: {finished}.</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}: {value}</translation>
    </message>
    <message>
        <source>{note} The inputs were: {draw}.</source>
        <translation>{note} Die Eingaben waren: {draw}.</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
    <message>
        <source>{n} shapes are too many for a project.</source>
        <translation>{n} Formen sind zu viele für ein Projekt.</translation>
    </message>
    <message>
        <source>{n} tasks have no donor.</source>
        <translation>{n} Tasks haben keinen Spender.</translation>
    </message>
    <message>
        <source>{n} tasks have no record to start from.</source>
        <translation>{n} Tasks haben keinen Record, von dem aus es losgehen könnte.</translation>
    </message>
    <message>
        <source>{one} or {other}</source>
        <translation>{one} oder {other}</translation>
    </message>
    <message>
        <source>{operator} ({name}) is of operator set {old} and cannot be written in a newer one{why}.</source>
        <translation>{operator} ({name}) ist aus Operatorsatz {old} und lässt sich in keinem neueren schreiben{why}.</translation>
    </message>
    <message>
        <source>{operator} ({node}) has {flag} = {value}, which is neither 0 nor 1.</source>
        <translation>{operator} ({node}) hat {flag} = {value}, und das ist weder 0 noch 1.</translation>
    </message>
    <message>
        <source>{operator} ({origin}) makes a constant of {shape:,} elements, {size:.1f} GB.</source>
        <translation>{operator} ({origin}) macht eine Konstante von {shape:,} Elementen, {size:.1f} GB.</translation>
    </message>
    <message>
        <source>{package} is a package that the module itself needs, or Python&apos;s own.</source>
        <translation>{package} ist ein Paket, das das Modul selbst braucht, oder eines von Python.</translation>
    </message>
    <message>
        <source>{path}</source>
        <translation>{path}</translation>
    </message>
    <message>
        <source>{path} became shorter while it was read.</source>
        <translation>{path} wurde kürzer, während es gelesen wurde.</translation>
    </message>
    <message>
        <source>{path} cannot be read as text.</source>
        <translation>{path} lässt sich nicht als Text lesen.</translation>
    </message>
    <message>
        <source>{path} cannot be read or written: its file or folder is protected.</source>
        <translation>{path} lässt sich nicht lesen oder schreiben: Datei oder Ordner ist geschützt.</translation>
    </message>
    <message>
        <source>{path} cannot be read.</source>
        <translation>{path} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>{path} lässt sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {strerror}.</source>
        <translation>{path} lässt sich nicht lesen: {strerror}.</translation>
    </message>
    <message>
        <source>{path} cannot be used here ({reason}).</source>
        <translation>{path} lässt sich hier nicht verwenden ({reason}).</translation>
    </message>
    <message>
        <source>{path} cannot be written here, and is only shown.</source>
        <translation>{path} lässt sich hier nicht schreiben und wird nur gezeigt.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation>{path} lässt sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}.</source>
        <translation>{path} lässt sich nicht schreiben: {strerror}.</translation>
    </message>
    <message>
        <source>{path} does not fit into this machine&apos;s memory.</source>
        <translation>{path} passt nicht in den Speicher dieser Maschine.</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path} gibt es schon.</translation>
    </message>
    <message>
        <source>{path} has its model, its shapes, its precision and its target already.</source>
        <translation>{path} hat Modell, Formen, Genauigkeit und Target schon.</translation>
    </message>
    <message>
        <source>{path} has {size}, and ONNX files above 2 GB cannot be read.</source>
        <translation>{path} hat {size}, und ONNX-Dateien über 2 GB lassen sich nicht lesen.</translation>
    </message>
    <message>
        <source>{path} holds {count} programs, not one.</source>
        <translation>{path} enthält {count} Programme, nicht eines.</translation>
    </message>
    <message>
        <source>{path} is a Git LFS pointer, not the model itself.</source>
        <translation>{path} ist ein Zeiger von Git LFS, nicht das Modell selbst.</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} ist ein Ordner.</translation>
    </message>
    <message>
        <source>{path} is a project, not a model.</source>
        <translation>{path} ist ein Projekt, kein Modell.</translation>
    </message>
    <message>
        <source>{path} is already open in {file}.</source>
        <translation>{path} ist schon offen: {file}.</translation>
    </message>
    <message>
        <source>{path} is empty.</source>
        <translation>{path} ist leer.</translation>
    </message>
    <message>
        <source>{path} is no wheel of an export.</source>
        <translation>{path} ist kein Wheel eines Exports.</translation>
    </message>
    <message>
        <source>{path} is not a TensorFlow Lite file, or it is damaged.</source>
        <translation>{path} ist keine TensorFlow-Lite-Datei oder ist beschädigt.</translation>
    </message>
    <message>
        <source>{path} is not a Tunewright project.</source>
        <translation>{path} ist kein Projekt von Tunewright.</translation>
    </message>
    <message>
        <source>{path} is not a library of Tunewright.</source>
        <translation>{path} ist keine Bibliothek von Tunewright.</translation>
    </message>
    <message>
        <source>{path} is not a queue of Tunewright.</source>
        <translation>{path} ist keine Warteschlange von Tunewright.</translation>
    </message>
    <message>
        <source>{path} is not a recording, or is damaged.</source>
        <translation>{path} ist keine Aufzeichnung oder ist beschädigt.</translation>
    </message>
    <message>
        <source>{path} is not a regular file.</source>
        <translation>{path} ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>{path} is not an exported PyTorch program, or it is damaged.</source>
        <translation>{path} ist kein exportiertes PyTorch-Programm oder ist beschädigt.</translation>
    </message>
    <message>
        <source>{path} is not the model that this project was made from.</source>
        <translation>{path} ist nicht das Modell, aus dem dieses Projekt entstand.</translation>
    </message>
    <message>
        <source>{path} is open for reading only.</source>
        <translation>{path} ist nur zum Lesen offen.</translation>
    </message>
    <message>
        <source>{path} was moved or deleted while it was open.</source>
        <translation>{path} wurde verschoben oder gelöscht, während es offen war.</translation>
    </message>
    <message>
        <source>{path} was recorded by a newer Tunewright.</source>
        <translation>{path} wurde von einem neueren Tunewright aufgezeichnet.</translation>
    </message>
    <message>
        <source>{path} was saved on a big-endian machine.</source>
        <translation>{path} wurde auf einer Big-Endian-Maschine gespeichert.</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>{place} von {count}</translation>
    </message>
    <message>
        <source>{place}. {title}, {trials}</source>
        <translation>{place}. {title}, {trials}</translation>
    </message>
    <message>
        <source>{policy}, {jobs} at once</source>
        <translation>{policy}, {jobs} gleichzeitig</translation>
    </message>
    <message>
        <source>{prepared} has nothing to tune: no operator is left after folding constants.</source>
        <translation>{prepared} hat nichts zu tunen: Nach dem Falten der Konstanten ist kein Operator übrig.</translation>
    </message>
    <message>
        <source>{project} exists already.</source>
        <translation>{project} gibt es schon.</translation>
    </message>
    <message>
        <source>{reference} does not run the model here. {what}</source>
        <translation>{reference} führt das Modell hier nicht aus. {what}</translation>
    </message>
    <message>
        <source>{reference} on the same threads, and the model now beside it.</source>
        <translation>{reference} auf denselben Threads, daneben das Modell jetzt.</translation>
    </message>
    <message>
        <source>{said}</source>
        <translation>{said}</translation>
    </message>
    <message>
        <source>{said}.</source>
        <translation>{said}.</translation>
    </message>
    <message>
        <source>{schedules} of {models} tried on {tasks}</source>
        <translation>{schedules} von {models} versucht an {tasks}</translation>
    </message>
    <message>
        <source>{seconds:.2g} s a trial is assumed: this project has none yet.</source>
        <translation>Angenommen sind {seconds:.2g} s je Versuch: Dieses Projekt hat noch keinen.</translation>
    </message>
    <message>
        <source>{seconds:.2g} s a trial, as here so far.</source>
        <translation>{seconds:.2g} s je Versuch, wie hier bisher.</translation>
    </message>
    <message>
        <source>{seconds:g} s were too few to measure each operator alone.</source>
        <translation>{seconds:g} s waren zu wenig, um jeden Operator allein zu messen.</translation>
    </message>
    <message>
        <source>{settings}</source>
        <translation>{settings}</translation>
    </message>
    <message>
        <source>{share:.1%} of the operations, {slots} of {all} slots so far</source>
        <translation>{share:.1%} der Operationen, bisher {slots} von {all} Slots</translation>
    </message>
    <message>
        <source>{share} for all of its operators</source>
        <translation>{share} für alle seine Operatoren</translation>
    </message>
    <message>
        <source>{share} of the arithmetic&apos;s peak</source>
        <translation>{share} der Spitze des Rechnens</translation>
    </message>
    <message>
        <source>{share} of the memory&apos;s peak</source>
        <translation>{share} der Spitze des Speichers</translation>
    </message>
    <message>
        <source>{share} of {peak}</source>
        <translation>{share} von {peak}</translation>
    </message>
    <message>
        <source>{share}, {all} for all {count}</source>
        <translation>{share}, {all} für alle {count}</translation>
    </message>
    <message>
        <source>{slot} of run {run}</source>
        <translation>{slot} von Lauf {run}</translation>
    </message>
    <message>
        <source>{source}  {time} so far</source>
        <translation>{source}  bisher {time}</translation>
    </message>
    <message>
        <source>{source} gained {time}</source>
        <translation>{source} gewann {time}</translation>
    </message>
    <message>
        <source>{source} took back {time}</source>
        <translation>{source} nahm {time} zurück</translation>
    </message>
    <message>
        <source>{speed:.1f} trials/s</source>
        <translation>{speed:.1f} Versuche/s</translation>
    </message>
    <message>
        <source>{stages}, {merged} merged</source>
        <translation>{stages}, {merged} zusammengelegt</translation>
    </message>
    <message>
        <source>{stages}, {side} of groups side by side</source>
        <translation>{stages}, {side} mit Gruppen nebeneinander</translation>
    </message>
    <message>
        <source>{stages}, {side} of groups side by side and {merged} merged</source>
        <translation>{stages}, {side} mit Gruppen nebeneinander und {merged} zusammengelegt</translation>
    </message>
    <message>
        <source>{stage} for {time}</source>
        <translation>{stage} seit {time}</translation>
    </message>
    <message>
        <source>{stage} of {task} for {time}</source>
        <translation>{stage} von {task} seit {time}</translation>
    </message>
    <message>
        <source>{state}: slot {number} {task}</source>
        <translation>{state}: Slot {number} {task}</translation>
    </message>
    <message>
        <source>{state}: {step}</source>
        <translation>{state}: {step}</translation>
    </message>
    <message>
        <source>{state}: {why}</source>
        <translation>{state}: {why}</translation>
    </message>
    <message>
        <source>{step}, round {number}</source>
        <translation>{step}, Runde {number}</translation>
    </message>
    <message>
        <source>{subject} cannot be shown: {how}.</source>
        <translation>{subject} lässt sich nicht zeigen: {how}.</translation>
    </message>
    <message>
        <source>{subject} cannot be shown: {why}.</source>
        <translation>{subject} lässt sich nicht zeigen: {why}.</translation>
    </message>
    <message>
        <source>{taken}, about {left} left</source>
        <translation>{taken}, noch etwa {left}</translation>
    </message>
    <message>
        <source>{target} cannot be written, and the export that it held is now {old}.</source>
        <translation>{target} lässt sich nicht schreiben, und der Export, der dort war, ist jetzt {old}.</translation>
    </message>
    <message>
        <source>{target} has no tensor cores for TF32 and 16 bits: they begin with sm_80.</source>
        <translation>{target} hat keine Tensorkerne für TF32 und 16 Bits: Es gibt sie ab sm_80.</translation>
    </message>
    <message>
        <source>{target} holds {foreign} and {n} more, which are no part of an export.</source>
        <translation>{target} enthält {foreign} und {n} weitere, die zu keinem Export gehören.</translation>
    </message>
    <message>
        <source>{target} holds {foreign} and {n} more, which is no part of an export.</source>
        <translation>{target} enthält {foreign} und {n} weiteres, das zu keinem Export gehört.</translation>
    </message>
    <message>
        <source>{target} holds {foreign}, which is no part of an export.</source>
        <translation>{target} enthält {foreign}, das zu keinem Export gehört.</translation>
    </message>
    <message>
        <source>{target} is a file.</source>
        <translation>{target} ist eine Datei.</translation>
    </message>
    <message numerus="yes">
        <source>{task} and %n more</source>
        <translation>
            <numerusform>{task} und %n weiterer</numerusform>
            <numerusform>{task} und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{task} has {share} of the latency and had only {trials} trials: tune it longer.</source>
        <translation>{task} hat {share} der Latenz und hatte nur {trials} Versuche: länger tunen.</translation>
    </message>
    <message>
        <source>{task}, similarity {value}</source>
        <translation>{task}, Ähnlichkeit {value}</translation>
    </message>
    <message>
        <source>{task}: no improvement found so far.</source>
        <translation>{task}: bisher keine Verbesserung gefunden.</translation>
    </message>
    <message>
        <source>{task}: no improvement found.</source>
        <translation>{task}: keine Verbesserung gefunden.</translation>
    </message>
    <message>
        <source>{task}: no knob by itself explains how its latencies vary ({trials}).</source>
        <translation>{task}: kein Regler für sich erklärt, wie die Latenzen schwanken ({trials}).</translation>
    </message>
    <message>
        <source>{task}: no knob has two values ({trials}).</source>
        <translation>{task}: kein Regler hat zwei Werte ({trials}).</translation>
    </message>
    <message>
        <source>{task}: no trial has a latency yet.</source>
        <translation>{task}: Noch kein Versuch hat eine Latenz.</translation>
    </message>
    <message>
        <source>{task}: no trial with a latency can be read.</source>
        <translation>{task}: kein Versuch mit einer Latenz ist zu lesen.</translation>
    </message>
    <message>
        <source>{task}: no trials yet.</source>
        <translation>{task}: noch keine Versuche.</translation>
    </message>
    <message>
        <source>{task}: not polished. Choose a task on the left, or press Droplet to polish this one.</source>
        <translation>{task}: nicht verfeinert. Links einen Task wählen oder Droplet drücken, um diesen zu verfeinern.</translation>
    </message>
    <message>
        <source>{task}: reading its schedules …</source>
        <translation>{task}: Schedules werden gelesen …</translation>
    </message>
    <message>
        <source>{task}: too few trials to tell which knob matters ({trials}).</source>
        <translation>{task}: zu wenige Versuche, um zu sagen, welcher Regler zählt ({trials}).</translation>
    </message>
    <message>
        <source>{task}: {knob} explains {share} of how its latencies vary ({trials}).</source>
        <translation>{task}: {knob} erklärt {share} davon, wie die Latenzen schwanken ({trials}).</translation>
    </message>
    <message>
        <source>{task}: {ratio} faster in {steps}, {before} → {after}.</source>
        <translation>{task}: {ratio} schneller in {steps}, {before} → {after}.</translation>
    </message>
    <message>
        <source>{task}: {ratio} faster in {steps}.</source>
        <translation>{task}: {ratio} schneller in {steps}.</translation>
    </message>
    <message>
        <source>{text!r} is no address.</source>
        <translation>{text!r} ist keine Adresse.</translation>
    </message>
    <message>
        <source>{text!r} is no number.</source>
        <translation>{text!r} ist keine Zahl.</translation>
    </message>
    <message>
        <source>{text}  ({count} times)</source>
        <translation>{text}  ({count}-mal)</translation>
    </message>
    <message>
        <source>{text} names no file on another machine.</source>
        <translation>{text} nennt keine Datei auf einer anderen Maschine.</translation>
    </message>
    <message>
        <source>{text} names no remote device.</source>
        <translation>{text} nennt kein entferntes Gerät.</translation>
    </message>
    <message>
        <source>{text} names no scheduler of Dask&apos;s.</source>
        <translation>{text} nennt keinen Scheduler von Dask.</translation>
    </message>
    <message numerus="yes">
        <source>{time}   + %n more</source>
        <translation>
            <numerusform>{time}   + %n weitere</numerusform>
            <numerusform>{time}   + %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{time} best</source>
        <translation>{time} bester</translation>
    </message>
    <message>
        <source>{time} by the stages measured</source>
        <translation>{time} nach den gemessenen Stufen</translation>
    </message>
    <message>
        <source>{time} from {start}</source>
        <translation>{time} ab {start}</translation>
    </message>
    <message>
        <source>{time} in all</source>
        <translation>{time} gesamt</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{time} measured on {target}</source>
        <translation>{time} gemessen auf {target}</translation>
    </message>
    <message>
        <source>{time} of tuning</source>
        <translation>{time} Tuning</translation>
    </message>
    <message>
        <source>{time} saved at</source>
        <translation>{time} gespart bei</translation>
    </message>
    <message>
        <source>{time} spent</source>
        <translation>{time} verbraucht</translation>
    </message>
    <message>
        <source>{time} untuned</source>
        <translation>{time} ungetunt</translation>
    </message>
    <message>
        <source>{time}, {left} left</source>
        <translation>{time}, noch {left}</translation>
    </message>
    <message>
        <source>{time}, {share} of the kernels</source>
        <translation>{time}, {share} der Kerne</translation>
    </message>
    <message>
        <source>{title} has no tensor cores for {precision}: they begin with sm_80.</source>
        <translation>{title} hat keine Tensorkerne für {precision}: Es gibt sie ab sm_80.</translation>
    </message>
    <message>
        <source>{title}: {said}</source>
        <translation>{title}: {said}</translation>
    </message>
    <message>
        <source>{todo}; resume the run.</source>
        <translation>{todo}; den Lauf fortsetzen.</translation>
    </message>
    <message>
        <source>{trials:,} trials</source>
        <translation>{trials:,} Versuche</translation>
    </message>
    <message>
        <source>{trials}, {errors} failed</source>
        <translation>{trials}, {errors} gescheitert</translation>
    </message>
    <message>
        <source>{trial}: applying the trace and compiling …</source>
        <translation>{trial}: Trace wird angewandt und übersetzt …</translation>
    </message>
    <message>
        <source>{trial}: compiling it takes a core from the run for about a second.</source>
        <translation>{trial}: Das Übersetzen nimmt dem Lauf etwa eine Sekunde lang einen Kern.</translation>
    </message>
    <message>
        <source>{unit} is no unit of this field.</source>
        <translation>{unit} ist keine Einheit dieses Feldes.</translation>
    </message>
    <message>
        <source>{value!r} cannot be the name of a wheel.</source>
        <translation>{value!r} kann nicht der Name eines Wheels sein.</translation>
    </message>
    <message>
        <source>{values} by name</source>
        <translation>{values} mit Namen</translation>
    </message>
    <message>
        <source>{value} is {types}, which TVM does not hold.</source>
        <translation>{value} ist {types}, was TVM nicht kennt.</translation>
    </message>
    <message>
        <source>{version!r} is no version of a wheel.</source>
        <translation>{version!r} ist keine Version eines Wheels.</translation>
    </message>
    <message>
        <source>{waits}, held by {jobs}</source>
        <translation>{waits}, belegt von {jobs}</translation>
    </message>
    <message>
        <source>{way}: {reason}</source>
        <translation>{way}: {reason}</translation>
    </message>
    <message>
        <source>{way}: {time}</source>
        <translation>{way}: {time}</translation>
    </message>
    <message>
        <source>{way}: {time}, and nothing was measured that is surely faster</source>
        <translation>{way}: {time}, und nichts wurde gemessen, das sicher schneller ist</translation>
    </message>
    <message>
        <source>{way}: {time}, {ratio} as fast as sequential ({first})</source>
        <translation>{way}: {time}, {ratio} so schnell wie sequenziell ({first})</translation>
    </message>
    <message>
        <source>{what} has no &apos;{key}&apos;.</source>
        <translation>{what} hat kein &apos;{key}&apos;.</translation>
    </message>
    <message>
        <source>{what} has no option {names}.</source>
        <translation>{what} hat keine Option {names}.</translation>
    </message>
    <message>
        <source>{what} has no {names}.</source>
        <translation>{what} hat kein {names}.</translation>
    </message>
    <message>
        <source>{what} is written with keys.</source>
        <translation>{what} wird mit Schlüsseln geschrieben.</translation>
    </message>
    <message>
        <source>{what} is {value}.</source>
        <translation>{what} ist {value}.</translation>
    </message>
    <message>
        <source>{what} must be one word or number.</source>
        <translation>{what} muss ein Wort oder eine Zahl sein.</translation>
    </message>
    <message>
        <source>{what} of {whose}</source>
        <translation>{what} von {whose}</translation>
    </message>
    <message>
        <source>{what}&apos;s {name}</source>
        <translation>{what}: {name}</translation>
    </message>
    <message>
        <source>{what}: 0 % to {share}</source>
        <translation>{what}: 0 % bis {share}</translation>
    </message>
    <message>
        <source>{what}: {words}</source>
        <translation>{what}: {words}</translation>
    </message>
    <message>
        <source>{word!r} names no device of the worker.</source>
        <translation>{word!r} nennt kein Gerät des Workers.</translation>
    </message>
    <message>
        <source>{words}</source>
        <translation>{words}</translation>
    </message>
    <message>
        <source>{words}, up to {most}</source>
        <translation>{words}, höchstens {most}</translation>
    </message>
    <message>
        <source>{work} a call</source>
        <translation>{work} je Aufruf</translation>
    </message>
    <message>
        <source>{work} ended after {time}.</source>
        <translation>{work}: nach {time} beendet.</translation>
    </message>
    <message>
        <source>{work} failed after {time}.</source>
        <translation>{work}: nach {time} gescheitert.</translation>
    </message>
    <message>
        <source>{work} is done after {time}.</source>
        <translation>{work}: nach {time} fertig.</translation>
    </message>
    <message>
        <source>“{command}” has its first keys again.</source>
        <translation>„{command}“ hat wieder seine ersten Tasten.</translation>
    </message>
    <message>
        <source>“{command}” has no keys now.</source>
        <translation>„{command}“ hat jetzt keine Tasten.</translation>
    </message>
    <message>
        <source>“{command}” has the keys {keys} now.</source>
        <translation>„{command}“ hat jetzt die Tasten {keys}.</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
    <message>
        <source>“{text}” is no number that can be read in one way only.</source>
        <translation>„{text}“ ist keine Zahl, die nur auf eine Weise zu lesen ist.</translation>
    </message>
    <message>
        <source>“{text}” is not a whole number.</source>
        <translation>„{text}“ ist keine ganze Zahl.</translation>
    </message>
    <message>
        <source>← Back</source>
        <translation>← Zurück</translation>
    </message>
    <message>
        <source>↑ far slower</source>
        <translation>↑ viel langsamer</translation>
    </message>
    <message>
        <source>−{removed} +{added} lines of {count}</source>
        <translation>−{removed} +{added} Zeilen von {count}</translation>
    </message>
    <message>
        <source>≠ where the two differ</source>
        <translation>≠, wo sich beide unterscheiden</translation>
    </message>
    <message>
        <source>■ start</source>
        <translation>■ Start</translation>
    </message>
    <message>
        <source>▲ Warning</source>
        <translation>▲ Warnung</translation>
    </message>
    <message>
        <source>▲ {host}: as of {moment}, connection lost</source>
        <translation>▲ {host}: Stand {moment}, Verbindung verloren</translation>
    </message>
    <message>
        <source>● Note</source>
        <translation>● Hinweis</translation>
    </message>
    <message>
        <source>● chosen</source>
        <translation>● Wahl</translation>
    </message>
    <message>
        <source>✕ Error</source>
        <translation>✕ Fehler</translation>
    </message>
    <message>
        <source>✕ failed</source>
        <translation>✕ gescheitert</translation>
    </message>
    <message>
        <source>✕ {count} {error}</source>
        <translation>✕ {count} {error}</translation>
    </message>
</context>
</TS>
